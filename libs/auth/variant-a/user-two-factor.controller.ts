import { Controller, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, CurrentCaller } from '@app/core/access/access.decorators';
import { ClientAddress } from '@app/core/access/client';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { NoContent, RequestBody } from '@app/core/wire/wire.decorators';
import { BadCredentials, SecondFactorMissing } from '@app/users/credentials.errors';
import type { StepUpProof } from '@app/users/user.types';
import { SecondFactorRequired } from '../auth.errors';
import { TwoFactorShapes } from './two-factor.shapes';
import { TwoFactorService } from './two-factor.service';

/** Two-factor login of a user, by the user or a manager. */
@ApiTags('users')
@Controller('organisations/:organisationId/users/:userId')
export class UserTwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Patch('enable2fa')
  @Access('users.enable2fa')
  @NoContent()
  request(@PathId('userId') userId: number): Promise<void> {
    return this.twoFactor.request(userId);
  }

  @Patch('disable2fa')
  @Access('users.disable2fa')
  @Refuses(new SecondFactorRequired(), new BadCredentials(), new SecondFactorMissing('CODE_INVALID'))
  @NoContent()
  disable(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(TwoFactorShapes, 'disable', { onlyWith: 'stepUp' }) proof: StepUpProof | undefined,
    @ClientAddress() address: string,
  ): Promise<void> {
    return this.twoFactor.disable(caller, { organisationId, userId }, proof, address);
  }
}
