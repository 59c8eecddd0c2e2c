import { Injectable } from '@nestjs/common';
import { UserRecords } from '@app/lifecycle/user-records';
import { CleanUp } from '@app/platform/jobs/clean-up';

@Injectable()
export class AuthCleanUp extends CleanUp {
  readonly statements = [
    `DELETE FROM logins WHERE expires_at < now()`,
    `DELETE FROM trusted_devices WHERE expires_at < now()`,
    `DELETE FROM known_networks WHERE last_login_at < now() - interval '30 days'`,
  ];
}

@Injectable()
export class LoginRecords extends UserRecords {
  readonly table = 'logins';
  readonly part = 'logins';
  readonly about = 'Where the person is logged in: since when, from which address and with which program.';
  protected readonly exported = `id, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt",
    address, country, os, browser, user_agent AS "userAgent"`;
}

@Injectable()
export class KnownNetworkRecords extends UserRecords {
  readonly table = 'known_networks';
  readonly part = 'knownNetworks';
  readonly about =
    'Networks that the person logged in from in the last 30 days: guesses of others do not hold up a login from there.';
  protected readonly exported = `id, network::text AS network, last_login_at AS "lastLoginAt"`;
}

@Injectable()
export class RecoveryCodeRecords extends UserRecords {
  readonly table = 'recovery_codes';
  readonly part = 'recoveryCodes';
  readonly about =
    'Codes that stand for one of the authenticator: when they were made and used. The codes are not stored readably.';
  protected readonly exported = `position, created_at AS "createdAt", used_at AS "usedAt"`;
  protected override readonly addedAt = 'created_at';
}

@Injectable()
export class TrustedDeviceRecords extends UserRecords {
  readonly table = 'trusted_devices';
  readonly part = 'trustedDevices';
  readonly about = 'Devices of the person that are asked for no code at login.';
  protected readonly exported = `id, address, country, os, browser, user_agent AS "userAgent", created_at AS "createdAt",
    expires_at AS "expiresAt"`;
}
