import { Injectable } from '@nestjs/common';
import { prepared } from '@app/platform/database/pg-reads/database-reads';
import { type LinkState, linksThat, LinkTokenGuard } from './link-token.guard';
import { recoveryExpired, unknownRecovery } from './recovery.types';

const STATE = prepared<LinkState>(linksThat(`r.kind = 'reset' AND u.deleted_at IS NULL`));

/** Checks the token of a reset (rule recovery 7). */
@Injectable()
export class ResetTokenGuard extends LinkTokenGuard {
  protected readonly state = STATE;
  protected readonly credential = 'reset_token';
  protected readonly unknown = unknownRecovery;
  protected readonly ended = recoveryExpired;
}
