import { Injectable } from '@nestjs/common';
import { UserRecords } from '@app/lifecycle/user-records';
import { CleanUp } from '@app/platform/jobs/clean-up';

@Injectable()
export class PasskeysCleanUp extends CleanUp {
  readonly statements = [`DELETE FROM passkey_challenges WHERE expires_at < now()`];
}

@Injectable()
export class PasskeyRecords extends UserRecords {
  readonly table = 'passkeys';
  readonly part = 'passkeys';
  readonly about =
    'Passkeys that the person logs in with: their names, and when they were made and last used.';
  protected readonly exported = `id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt",
    backed_up AS "backedUp"`;
  protected override readonly addedAt = 'created_at';
}

@Injectable()
export class PasskeyChallengeRecords extends UserRecords {
  readonly table = 'passkey_challenges';
  readonly part = 'passkeyChallenges';
  readonly about = 'That the person has begun to add a passkey, for five minutes at most.';
  protected readonly exported = `expires_at AS "expiresAt"`;
}
