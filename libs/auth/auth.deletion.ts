import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, GOES_WITH_ITS_USERS } from '@app/core/deletion/deletion-handler';

@Injectable()
export class LoginDeletion extends DeletionHandler {
  readonly table = 'logins';
  readonly position = 20;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM logins WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}

@Injectable()
export class KnownNetworkDeletion extends DeletionHandler {
  readonly table = 'known_networks';
  readonly position = 25;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM known_networks WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}

@Injectable()
export class RecoveryCodeDeletion extends DeletionHandler {
  readonly table = 'recovery_codes';
  readonly position = 37;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM recovery_codes WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}

@Injectable()
export class TrustedDeviceDeletion extends DeletionHandler {
  readonly table = 'trusted_devices';
  readonly position = 40;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM trusted_devices WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}
