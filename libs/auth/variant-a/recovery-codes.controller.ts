import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, CurrentCaller, PathId } from '@app/core/access/access.decorators';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { RespondsWith } from '@app/core/wire/wire.decorators';
import { SecondFactorNotEnabled } from '../auth.errors';
import { RecoveryCodesService } from './recovery-codes.service';
import type { MadeRecoveryCodes, RecoveryCodeCount } from '../recovery-codes.types';
import { TwoFactorShapes } from './two-factor.shapes';

/** Codes for a user who has lost the authenticator. */
@ApiTags('users')
@Controller('organisations/:organisationId/users/:userId/recoverycodes')
export class RecoveryCodesController {
  constructor(private readonly recoveryCodes: RecoveryCodesService) {}

  @Post()
  @Access('recoveryCodes.create')
  @Refuses(new SecondFactorNotEnabled())
  @RespondsWith(201, TwoFactorShapes, 'madeRecoveryCodes')
  create(@CurrentCaller() caller: Caller): Promise<MadeRecoveryCodes> {
    return this.recoveryCodes.create(caller);
  }

  @Get()
  @Access('recoveryCodes.read')
  @RespondsWith(200, TwoFactorShapes, 'recoveryCodeCount')
  count(@PathId('userId') userId: number): Promise<RecoveryCodeCount> {
    return this.recoveryCodes.count(userId);
  }
}
