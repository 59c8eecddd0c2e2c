import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '@app/core/paging/page';
import { ENTITY_KINDS } from '../entity.types';
import type { EntityOfOrganisation } from './entity-of-organisation.types';

/** A row of the csv form of the entity overview: the listing of all entities (decisions.md section 1). */
export class EntityRow {
  @ApiProperty({ enum: [...ENTITY_KINDS] })
  kind!: string;

  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: 'integer' })
  organisationId!: number;

  @ApiProperty()
  organisationName!: string;

  @ApiProperty({ type: [String], description: 'Names of the domains of a mail group' })
  domains!: string[];
}

/** All entities of an overview, kind by kind. */
export async function* entityRows(page: Page<EntityOfOrganisation>): AsyncGenerator<EntityRow> {
  yield* page.items.map(entityRow);
  for await (const entities of page.rest ?? []) yield* entities.map(entityRow);
}

const entityRow = (entity: EntityOfOrganisation): EntityRow => ({
  kind: entity.kind,
  id: entity.id,
  name: entity.name,
  organisationId: entity.organisationId,
  organisationName: entity.organisationName,
  domains: (entity.domains ?? []).map(({ name }) => name),
});
