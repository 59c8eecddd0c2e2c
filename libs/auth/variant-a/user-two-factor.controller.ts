import { Controller, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, TheCaller } from '@app/core/access/declarations';
import { AnswersNothing } from '@app/core/wire/declarations';
import { TwoFactorService } from './two-factor.service';

/** Two-factor login of a user, by the user or a manager. */
@ApiTags('users')
@Controller('organisations/:organisationId/users/:userId')
export class UserTwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Patch('enable2fa')
  @Access('users.enable2fa')
  @AnswersNothing()
  request(@PathId('userId') userId: number): Promise<void> {
    return this.twoFactor.request(userId);
  }

  @Patch('disable2fa')
  @Access('users.disable2fa')
  @AnswersNothing()
  switchOff(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
  ): Promise<void> {
    return this.twoFactor.switchOff(caller, organisationId, userId);
  }
}
