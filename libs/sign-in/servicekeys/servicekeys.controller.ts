import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { PROOF_REFUSALS } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { Proven } from '@app/security/passwords/step-up-proof';
import { alreadyRotated, type KeyRotation } from '@app/sign-in/keys/key.types';
import type { CreatedServiceKey, ServiceKeyDetails, ServiceKeyOrder } from './service-key.columns';
import type { NewServiceKey, ServiceKeyInput } from './service-key.types';
import { ServiceKeysService } from './servicekeys.service';
import { ServiceKeysShapes } from './shapes/servicekeys.shapes';

@Controller('organisations/:organisationId/servicekeys')
@PathRecords({
  serviceKeyId: {
    name: 'Service key',
    table: 'service_keys',
    within: 'organisationId',
    tag: 'record.version',
  },
})
export class ServiceKeysController {
  constructor(private readonly keys: ServiceKeysService) {}

  @Post()
  @Access(
    'servicekeys.create',
    'Create a service key; its hash is shown this once',
    'It does its operations as a CUSTADMIN of the organisation does. A key of the operator organisation that an admin makes does them as an admin.',
  )
  @Refuses(...PROOF_REFUSALS)
  @RespondsWith(201, ServiceKeysShapes, 'created')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(ServiceKeysShapes, 'create') input: NewServiceKey & Proven,
  ): Promise<CreatedServiceKey> {
    return this.keys.create(caller, organisationId, input);
  }

  @Get()
  @Access('servicekeys.list', 'List the service keys of an organisation')
  @RespondsWith(200, ServiceKeysShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(ServiceKeysShapes, 'list') request: ListRequest<ServiceKeyOrder>,
  ): Promise<Page<ServiceKeyDetails>> {
    return this.keys.list(organisationId, request);
  }

  @Get(':serviceKeyId')
  @Access('servicekeys.read', 'Read a service key')
  @RespondsWith(200, ServiceKeysShapes, 'single')
  read(
    @PathId('organisationId') organisationId: number,
    @PathId('serviceKeyId') id: number,
  ): Promise<ServiceKeyDetails> {
    return this.keys.read({ organisationId, id });
  }

  @Post(':serviceKeyId/rotate')
  @Access(
    'servicekeys.rotate',
    'Make a new service key like another, which ends soon; the hash is shown this once',
  )
  @Refuses(alreadyRotated(), ...PROOF_REFUSALS)
  @RespondsWith(201, ServiceKeysShapes, 'created')
  rotate(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('serviceKeyId') id: number,
    @RequestBody(ServiceKeysShapes, 'rotate') rotation: KeyRotation & Proven,
  ): Promise<CreatedServiceKey> {
    return this.keys.rotate(caller, { organisationId, id }, rotation);
  }

  @Put(':serviceKeyId')
  @Access(
    'servicekeys.update',
    'Change name, operations, reach and whitelist of a service key',
    'With STEP_UP it asks for the proof where the key may more than before.',
  )
  @Refuses(...PROOF_REFUSALS)
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('serviceKeyId') id: number,
    @RequestBody(ServiceKeysShapes, 'update') input: ServiceKeyInput & Proven,
  ): Promise<void> {
    return this.keys.update(caller, { organisationId, id }, input);
  }

  @Delete(':serviceKeyId')
  @Access('servicekeys.delete', 'Delete a service key')
  @NoContent()
  delete(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('serviceKeyId') id: number,
  ): Promise<void> {
    return this.keys.delete(caller, { organisationId, id });
  }
}
