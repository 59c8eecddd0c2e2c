import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Person, type StoredRecord, touchedBy } from '@app/lifecycle/personal-data';
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

/** The reason of a support login may name anybody. */
const FORGET_IN_REASONS = `
  UPDATE logins l SET support_reason =
    left(forget_in_text(l.support_reason, CASE WHEN u.organisation_id = $1 THEN $2 ELSE $4 END), 500)
  FROM users u WHERE u.id = l.user_id AND l.staff_id IS NOT NULL
    AND l.support_reason ~* CASE WHEN u.organisation_id = $1 THEN $2 ELSE $3 END`;

@Injectable()
export class LoginRecords extends UserRecords {
  readonly table = 'logins';
  readonly part = 'logins';
  readonly about =
    'Where the person is logged in: since when, from which address and with which program; and support logins, of the person or for it.';
  protected readonly exported = `id, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt",
    address, country, os, browser, user_agent AS "userAgent", support_reason AS "supportReason"`;

  override readonly erase = (
    manager: EntityManager,
    { organisationId, within, everywhere, named }: Person,
  ): Promise<number> => touchedBy(manager, FORGET_IN_REASONS, [organisationId, within, everywhere, named]);

  override stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT ${this.exported} FROM logins WHERE user_id = $1 OR staff_id = $1 ORDER BY id`,
      [id],
    );
  }
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
