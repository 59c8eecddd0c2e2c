import { Controller, Delete, Param, Put, type Type, UseGuards } from '@nestjs/common';
import { ENTITY_WORDS } from '@app/people/teams/team.types';
import { NoContent, RequestBody } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { ENTITY_KINDS, type EntityInput, type EntityKind, KIND_IN_PATHS } from './entity.types';
import { EntityRegistrationService } from './entity-registration.service';
import { identifierGuard } from './identifier-guard';
import { EntityRegisterShapes } from './shapes/entity-register.shapes';

/** The routes of one kind of entity; each kind has its own controller, as in teams. */
function entityRegistrationController(kind: EntityKind): Type<object> {
  const inPaths = KIND_IN_PATHS[kind];
  const words = ENTITY_WORDS[inPaths];
  @Controller(`entities/${inPaths}`)
  class EntityRegistrationController {
    constructor(private readonly entities: EntityRegistrationService) {}

    /** The entity may be new, so its id addresses no record. */
    @Put(':entityId')
    @UseGuards(identifierGuard('entityId', 'Entity'))
    @Access('entities.register', `Take ${words} into the register, or bring it up to date`)
    @NoContent()
    async put(
      @Ctx() caller: Caller,
      @Param('entityId') entityId: string,
      @RequestBody(EntityRegisterShapes, 'register') input: EntityInput,
    ): Promise<void> {
      await this.entities.put(caller, kind, Number(entityId), input);
    }

    @Delete(':entityId')
    @PathRecords({
      entityId: { name: 'Entity', table: 'entities', key: 'object_id', condition: `record.kind = '${kind}'` },
    })
    @Access('entities.remove', `Take ${words} out of the register and out of all teams`)
    @NoContent()
    remove(@Ctx() caller: Caller, @PathId('entityId') id: number): Promise<void> {
      return this.entities.remove(caller, kind, id);
    }
  }
  // The interface description names operations after the class.
  const name = `Entity${inPaths.charAt(0).toUpperCase()}${inPaths.slice(1)}Controller`;
  Object.defineProperty(EntityRegistrationController, 'name', { value: name });
  return EntityRegistrationController;
}

/** `PUT` and `DELETE /entities/{kind}/{entityId}` for every kind. */
export const ENTITY_REGISTRATION_CONTROLLERS = ENTITY_KINDS.map(entityRegistrationController);
