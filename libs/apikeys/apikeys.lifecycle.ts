import { Injectable } from '@nestjs/common';
import { UserRecords } from '@app/lifecycle/user-records';
import { CleanUp } from '@app/platform/jobs/clean-up';

/** Removes rotated keys once they have ended, so that years of rotation do not fill a user's list. */
@Injectable()
export class ApiKeysCleanUp extends CleanUp {
  readonly statements = [`DELETE FROM api_keys WHERE rotated_at IS NOT NULL AND expires_at < now()`];
}

@Injectable()
export class ApiKeyRecords extends UserRecords {
  readonly table = 'api_keys';
  readonly part = 'apiKeys';
  readonly about = 'Keys that programs of the person call with. The keys themselves are not stored.';
  protected readonly exported = `id, name, whitelist, read_only AS "readOnly", created_at AS "createdAt",
    last_used_at AS "lastUsedAt", rotated_at AS "rotatedAt", expires_at AS "expiresAt"`;
  /** A user who takes an older name back loses all API keys, old ones too (decisions.md section 11). */
  protected override readonly addedAt = `'infinity'::timestamptz`;
}
