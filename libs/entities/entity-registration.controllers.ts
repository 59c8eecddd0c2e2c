import { Controller, Delete, Param, Put, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/access.decorators';
import { pathIdentifier } from '@app/core/access/request-address';
import { NotFound } from '@app/core/errors/api-error';
import { NoContent, RequestBody } from '@app/core/wire/wire.decorators';
import { ENTITY_KINDS, KIND_IN_PATHS, type EntityKind } from './entity.types';
import { EntityRegistrationService } from './entity-registration.service';
import type { EntityInput } from './entity-registration.types';
import { EntityRegisterShapes } from './shapes/entity-register.shapes';

/** The routes of one kind of entity: a controller for each, as for the entities of teams. */
function entityRegistrationController(kind: EntityKind): Type<object> {
  const inPaths = KIND_IN_PATHS[kind];
  @ApiTags('entities')
  @Controller(`entities/${inPaths}`)
  class EntityRegistrationController {
    constructor(private readonly entities: EntityRegistrationService) {}

    /** It need not be there: the id is no record of the path. */
    @Put(':entityId')
    @Access('entities.register')
    @NoContent()
    async put(
      @Param('entityId') entityId: string,
      @RequestBody(EntityRegisterShapes, 'register') input: EntityInput,
    ): Promise<void> {
      const id = pathIdentifier(entityId);
      if (id === null) throw new NotFound('Entity');
      await this.entities.put(kind, id, input);
    }

    @Delete(':entityId')
    @PathRecords({
      entityId: { name: 'Entity', table: 'entities', key: 'object_id', condition: `record.kind = '${kind}'` },
    })
    @Access('entities.remove')
    @NoContent()
    remove(@PathId('entityId') id: number): Promise<void> {
      return this.entities.remove(kind, id);
    }
  }
  // The interface description names operations after the class.
  const name = `Register${inPaths.charAt(0).toUpperCase()}${inPaths.slice(1)}Controller`;
  Object.defineProperty(EntityRegistrationController, 'name', { value: name });
  return EntityRegistrationController;
}

/** `PUT` and `DELETE /entities/{kind}/{entityId}` for every kind. */
export const ENTITY_REGISTRATION_CONTROLLERS = ENTITY_KINDS.map(entityRegistrationController);
