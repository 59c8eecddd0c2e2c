import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/core/jobs/clean-up';

/** A key that another took the place of leaves it when it ends: scripts that rotate for years do not fill the list. */
@Injectable()
export class ApiKeysCleanUp extends CleanUp {
  readonly position = 45;
  readonly statements = [`DELETE FROM api_keys WHERE rotated_at IS NOT NULL AND expires_at < now()`];
}
