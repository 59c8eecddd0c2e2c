import { Controller, Get, Post } from '@nestjs/common';
import { badCredentials, secondFactorMissing } from '@app/people/users/user.types';
import { Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import {
  Access,
  ChecksProof,
  Ctx,
  IgnoresIdempotencyKey,
  PathId,
} from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { StepUpProof } from '@app/security/passwords/step-up-proof';
import { type MadeRecoveryCodes, type RecoveryCodeCount, secondFactorNotEnabled } from '../auth.types';
import { RecoveryCodes } from '../recovery-codes';
import { TwoFactorService } from './two-factor.service';
import { TwoFactorShapes } from './two-factor.shapes';

/** Codes for users who have lost their authenticator. */
@Tag('users')
@Controller('organisations/:organisationId/users/:userId/recoverycodes')
export class RecoveryCodesController {
  constructor(
    private readonly twoFactor: TwoFactorService,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  @Post()
  @IgnoresIdempotencyKey()
  @ChecksProof()
  @Access(
    'recoveryCodes.create',
    'Make ten recovery codes in place of those before; they are shown this once',
  )
  @Refuses(secondFactorNotEnabled(), badCredentials(), secondFactorMissing('CODE_INVALID'))
  @RespondsWith(201, TwoFactorShapes, 'madeRecoveryCodes')
  create(
    @Ctx() caller: Caller,
    @RequestBody(TwoFactorShapes, 'makeRecoveryCodes', { onlyWith: 'stepUp' }) proof: StepUpProof | undefined,
  ): Promise<MadeRecoveryCodes> {
    return this.twoFactor.makeRecoveryCodes(caller, proof);
  }

  @Get()
  @Access('recoveryCodes.read', 'Tell how many recovery codes a user has left')
  @RespondsWith(200, TwoFactorShapes, 'recoveryCodeCount')
  count(@PathId('userId') userId: number): Promise<RecoveryCodeCount> {
    return this.recoveryCodes.count(userId);
  }
}
