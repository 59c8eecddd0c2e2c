import { Controller, Get, Patch, Post } from '@nestjs/common';
import { badCredentials, secondFactorMissing, type StepUpProof } from '@app/people/users/user.types';
import type { RequestContext } from '@app/platform/context/request-context';
import { NoContent, Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import {
  Access,
  Authorization,
  type Caller,
  ChecksProof,
  Ctx,
  IgnoresIdempotencyKey,
  PathId,
  PublicRoute,
} from '@app/security/access/access.decorators';
import {
  type LoggedIn,
  type LoginInput,
  type MadeRecoveryCodes,
  type PasswordLogin,
  type RecoveryCodeCount,
  secondFactorInvalid,
  secondFactorNotEnabled,
  secondFactorRequired,
  tooManyFactorChanges,
  unknownUsername,
} from '../auth.types';
import { RecoveryCodes } from '../recovery-codes';
import { ALREADY_ENABLED } from '../second-factor-states';
import { AuthShapes } from '../shapes/auth.shapes';
import { TwoFactorService } from './two-factor.service';
import { TwoFactorShapes } from './two-factor.shapes';

const BY_PASSWORD = 'name and password in the body stand for the credential';

const WITH_PASSKEY =
  'A user who has a passkey also sends a login that the passkey made, in `Authorization`: 401 `2FA is required` without it. Who lost the last second factor by a link or a reset, where one is demanded, needs `enable2fa` by a manager first: the same with the reason `SECOND_FACTOR_NEEDS_MANAGER`.';

/** Sets up two-factor login for users who cannot log in without it. */
@Tag('login')
@Controller()
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Post('enable2faandget2fasecret')
  @PublicRoute(BY_PASSWORD, 'Begin two-factor set-up and show its secret', WITH_PASSKEY)
  @Refuses(
    badCredentials(),
    unknownUsername,
    secondFactorInvalid(ALREADY_ENABLED),
    secondFactorMissing('SECOND_FACTOR_REQUIRED'),
  )
  @RespondsWith(200, TwoFactorShapes, 'secret')
  showSecret(
    @Ctx() ctx: RequestContext,
    @RequestBody(TwoFactorShapes, 'passwordLogin') login: PasswordLogin,
    @Authorization() authorization: string | undefined,
  ): Promise<string> {
    return this.twoFactor.showSecret(ctx, login, authorization);
  }

  @Post('activate2fa')
  @PublicRoute(BY_PASSWORD, 'Finish two-factor set-up with a right code, and log in', WITH_PASSKEY)
  @Refuses(
    badCredentials(),
    unknownUsername,
    secondFactorMissing('CODE_INVALID'),
    secondFactorMissing('SECOND_FACTOR_REQUIRED'),
    tooManyFactorChanges(3600),
  )
  @RespondsWith(200, AuthShapes, 'loggedIn')
  activate(
    @Ctx() ctx: RequestContext,
    @RequestBody(TwoFactorShapes, 'activate') input: LoginInput,
    @Authorization() authorization: string | undefined,
  ): Promise<LoggedIn> {
    return this.twoFactor.activate(ctx, input, authorization);
  }

  @Post('cancel2faActivation')
  @PublicRoute(BY_PASSWORD, 'Give up a two-factor set-up that is not finished')
  @Refuses(badCredentials(), unknownUsername, secondFactorInvalid(ALREADY_ENABLED))
  @RespondsWith(200, TwoFactorShapes, 'cancelled')
  cancel(
    @Ctx() ctx: RequestContext,
    @RequestBody(TwoFactorShapes, 'passwordLogin') login: PasswordLogin,
  ): Promise<void> {
    return this.twoFactor.cancel(ctx, login);
  }
}

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
