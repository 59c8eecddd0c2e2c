import { Controller, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, CurrentCaller } from '@app/core/access/access.decorators';
import { ClientAddress } from '@app/core/access/client';
import { NoContent, RequestBody } from '@app/core/wire/wire.decorators';
import type { StepUpProof } from '@app/users/user.types';
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
