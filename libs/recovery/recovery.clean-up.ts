import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/core/jobs/clean-up';

@Injectable()
export class RecoveryCleanUp extends CleanUp {
  readonly position = 40;
  readonly statements = [
    // For three months an old link is told "expired", after that "unknown".
    `DELETE FROM recovery_requests WHERE expires_at < now() - interval '90 days'`,
    `DELETE FROM name_restorations WHERE expires_at < now() - interval '90 days'`,
  ];
}
