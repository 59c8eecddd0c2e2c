import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/core/access/caller';
import { Throttler } from '@app/core/throttling/throttler';
import { RecoveryCodes } from '../recovery-codes';
import type { MadeRecoveryCodes, RecoveryCodeCount } from '../recovery-codes.types';

/** Sets that a user makes within an hour: each is mailed, past every budget, and audited. */
const MAX_SETS = 10;
const HOUR = 3600;

/** Recovery codes as their user and its managers ask for them. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly codes: RecoveryCodes,
    private readonly throttler: Throttler,
  ) {}

  async create(caller: Caller): Promise<MadeRecoveryCodes> {
    await this.throttler.reserve([{ bucket: ['recovery code sets', caller.userId], most: MAX_SETS }], HOUR);
    return this.codes.make(caller);
  }

  count(userId: number): Promise<RecoveryCodeCount> {
    return this.codes.count(userId);
  }
}
