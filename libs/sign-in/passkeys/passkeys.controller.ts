import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { badCredentials, PROOF_REFUSALS, secondFactorMissing } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, ChecksProof, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { StepUpProof } from '@app/security/passwords/step-up-proof';
import { loginLacksFactor, secondFactorRequired } from '@app/sign-in/auth/auth.types';
import type { PasskeyDetails, PasskeyOrder } from './passkey.columns';
import type { CreationOptions, NewPasskey, PasskeyInput } from './passkey.types';
import { PasskeysService } from './passkeys.service';
import { PasskeysShapes } from './shapes/passkeys.shapes';

@Controller('organisations/:organisationId/users/:userId/passkeys')
@PathRecords({ passkeyId: { name: 'Passkey', table: 'passkeys', within: 'userId' } })
export class PasskeysController {
  constructor(private readonly passkeys: PasskeysService) {}

  @Post('options')
  @ChecksProof()
  @Access(
    'passkeys.create',
    'Begin to add a passkey: the options for `navigator.credentials.create`',
    'Asks for the password, with or without `STEP_UP`, and for a code where two-factor login is ' +
      'on. Who has a second factor needs a login that has passed one: 403 ' +
      '`SECOND_FACTOR_REQUIRED`. The challenge holds for five minutes and is used once. A user has ' +
      'five open ones: the oldest makes room for a sixth.',
  )
  @Refuses(badCredentials(), secondFactorMissing('CODE_INVALID'), loginLacksFactor())
  @RespondsWith(200, PasskeysShapes, 'creationOptions')
  options(
    @Ctx() caller: Caller,
    @RequestBody(PasskeysShapes, 'proof') proof: StepUpProof,
  ): Promise<CreationOptions> {
    return this.passkeys.options(caller, proof);
  }

  @Post()
  @ChecksProof()
  @Access(
    'passkeys.create',
    'Add the passkey that the browser made with the options',
    'Who has a second factor needs a login that has passed one: 403 `SECOND_FACTOR_REQUIRED`.',
  )
  @Refuses(loginLacksFactor())
  @RespondsWith(201, PasskeysShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(PasskeysShapes, 'create') input: NewPasskey,
  ): Promise<PasskeyDetails> {
    return this.passkeys.create(caller, organisationId, input);
  }

  @Get()
  @Access('passkeys.list', 'List the passkeys of a user')
  @RespondsWith(200, PasskeysShapes, 'list')
  list(
    @PathId('userId') userId: number,
    @ListQuery(PasskeysShapes, 'list') request: ListRequest<PasskeyOrder>,
  ): Promise<Page<PasskeyDetails>> {
    return this.passkeys.list(userId, request);
  }

  @Get(':passkeyId')
  @Access('passkeys.read', 'Read a passkey of a user')
  @RespondsWith(200, PasskeysShapes, 'single')
  read(@PathId('userId') userId: number, @PathId('passkeyId') id: number): Promise<PasskeyDetails> {
    return this.passkeys.read(userId, id);
  }

  @Put(':passkeyId')
  @Access('passkeys.update', 'Change the name of a passkey')
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('userId') userId: number,
    @PathId('passkeyId') id: number,
    @RequestBody(PasskeysShapes, 'update') input: PasskeyInput,
  ): Promise<void> {
    return this.passkeys.update(caller, userId, id, input);
  }

  @Delete(':passkeyId')
  @ChecksProof()
  @Access(
    'passkeys.delete',
    'Delete a passkey of a user',
    'Logins that were made with it go on. Who is no admin keeps its last second factor where the ' +
      'organisation requires one. The user itself needs a login that has passed a second factor: ' +
      '403 `SECOND_FACTOR_REQUIRED`. With STEP_UP it asks for the proof, in a body.',
  )
  @Refuses(secondFactorRequired(), loginLacksFactor(), ...PROOF_REFUSALS)
  @NoContent()
  delete(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @PathId('passkeyId') id: number,
    @RequestBody(PasskeysShapes, 'delete', { ifReadable: true }) proof: StepUpProof | undefined,
  ): Promise<void> {
    return this.passkeys.delete(caller, { organisationId, userId, id }, proof);
  }
}
