import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DELETED_WITH_USER,
  PersonalData,
  type Person,
  type StoredRecord,
} from '@app/core/privacy/personal-data';

@Injectable()
export class LoginPersonalData extends PersonalData {
  readonly table = 'logins';
  readonly position = 20;
  readonly part = 'logins';
  readonly about = 'Where the person is logged in: since when, from which address and with which program.';
  readonly erase = DELETED_WITH_USER;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt", address, country,
         os, browser, user_agent AS "userAgent"
       FROM logins WHERE user_id = $1 ORDER BY id`,
      [id],
    );
  }
}

@Injectable()
export class KnownNetworkPersonalData extends PersonalData {
  readonly table = 'known_networks';
  readonly position = 25;
  readonly part = 'knownNetworks';
  readonly about =
    'Networks that the person logged in from in the last 30 days: guesses of others do not hold up a login from there.';
  readonly erase = DELETED_WITH_USER;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT id, network::text AS network, last_login_at AS "lastLoginAt"
       FROM known_networks WHERE user_id = $1 ORDER BY id`,
      [id],
    );
  }
}

@Injectable()
export class RecoveryCodePersonalData extends PersonalData {
  readonly table = 'recovery_codes';
  readonly position = 37;
  readonly part = 'recoveryCodes';
  readonly about =
    'Codes that stand for one of the authenticator: when they were made and used. The codes are not stored readably.';
  readonly erase = DELETED_WITH_USER;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT position, created_at AS "createdAt", used_at AS "usedAt"
       FROM recovery_codes WHERE user_id = $1 ORDER BY position`,
      [id],
    );
  }
}

@Injectable()
export class TrustedDevicePersonalData extends PersonalData {
  readonly table = 'trusted_devices';
  readonly position = 40;
  readonly part = 'trustedDevices';
  readonly about = 'Devices of the person that are asked for no code at login.';
  readonly erase = DELETED_WITH_USER;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT id, address, country, os, browser, user_agent AS "userAgent", created_at AS "createdAt",
         expires_at AS "expiresAt"
       FROM trusted_devices WHERE user_id = $1 ORDER BY id`,
      [id],
    );
  }
}
