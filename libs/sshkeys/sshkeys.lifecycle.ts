import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UserRecords } from '@app/lifecycle/user-records';

@Injectable()
export class SshKeyRecords extends UserRecords {
  readonly table = 'ssh_keys';
  readonly part = 'sshKeys';
  readonly about = 'Public keys that the person logs in to systems with.';
  protected readonly exported = `id, description,
    type || ' ' || translate(encode(blob, 'base64'), E'\\n', '') || ' ' || comment AS content, fingerprint,
    created_at AS "createdAt", key_changed_at AS "changedAt"`;
  protected override readonly addedAt = 'greatest(created_at, key_changed_at)';

  override readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM ssh_keys WHERE organisation_id = $1`, [organisationId]);
}
