import { Controller, Patch } from '@nestjs/common';
import { badCredentials, secondFactorMissing } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody } from '@app/platform/dto/wire.decorators';
import { Access, ChecksProof, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { StepUpProof } from '@app/security/passwords/step-up-proof';
import { secondFactorRequired } from '../auth.types';
import { TwoFactorService } from './two-factor.service';
import { TwoFactorShapes } from './two-factor.shapes';

/** Two-factor login of a user, by the user or a manager. */
@Controller('organisations/:organisationId/users/:userId')
export class UserTwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Patch('enable2fa')
  @Access(
    'users.enable2fa',
    'Ask a user to set up two-factor login',
    'From the next login on, the user has to set two-factor login up.',
  )
  @NoContent()
  request(@Ctx() caller: Caller, @PathId('userId') userId: number): Promise<void> {
    return this.twoFactor.request(caller, userId);
  }

  @Patch('disable2fa')
  @ChecksProof()
  @Access(
    'users.disable2fa',
    'Switch off two-factor login of a user',
    'Takes the secret and the trusted devices away too. Who is no admin cannot do it on itself where the organisation requires two-factor login.',
  )
  @Refuses(secondFactorRequired(), badCredentials(), secondFactorMissing('CODE_INVALID'))
  @NoContent()
  disable(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(TwoFactorShapes, 'disable', { onlyWith: 'stepUp' }) proof: StepUpProof | undefined,
  ): Promise<void> {
    return this.twoFactor.disable(caller, { organisationId, userId }, proof);
  }
}
