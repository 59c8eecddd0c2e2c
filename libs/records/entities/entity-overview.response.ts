import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Shown } from '@app/platform/dto/shapes';
import { MailDomainResponse, toMailDomainResponse } from '@app/people/teams/shapes/team-entities.response';
import type { EntityOfOrganisation } from './entities.service';
import type { Page } from '@app/platform/lists/paginator';
import { ENTITY_KINDS } from './entity.types';

const ENTITY = {
  id: { type: 'integer', description: 'Identifier in the register, unique in its kind' },
  organisationId: {
    type: 'integer',
    description: 'Identifier of the organisation that it belongs to',
    example: 12,
  },
  organisationName: { description: 'Name of that organisation', example: 'Bakkerij de Vries' },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;

/** An app or a system. */
export class NamedEntityResponse {
  @Shown({ ...ENTITY.id, example: 501 }) id!: number;
  @Shown({ description: 'Name in the register', example: 'web01' }) name!: string;
  @Shown(ENTITY.organisationId) organisationId!: number;
  @Shown(ENTITY.organisationName) organisationName!: string;
}

/** A domain. */
export class DomainResponse {
  @Shown({ ...ENTITY.id, example: 77 }) id!: number;

  @Shown({ description: 'Name of the domain with its extension', example: 'bakkerijdevries.nl' })
  fullname!: string;

  @Shown(ENTITY.organisationId) organisationId!: number;
  @Shown(ENTITY.organisationName) organisationName!: string;
}

/** A mail group with its domains. */
export class MailGroupResponse {
  @Shown({ ...ENTITY.id, example: 31 }) id!: number;
  @Shown({ description: 'Name in the register', example: 'Mail' }) name!: string;
  @Shown(ENTITY.organisationId) organisationId!: number;
  @Shown(ENTITY.organisationName) organisationName!: string;

  @Shown({ type: [MailDomainResponse], description: 'The domains whose mail it is' })
  domains!: MailDomainResponse[];
}

export const toNamedEntityResponse = (entity: EntityOfOrganisation): NamedEntityResponse => ({
  id: entity.id,
  name: entity.name,
  organisationId: entity.organisationId,
  organisationName: entity.organisationName,
});

export const toDomainResponse = (entity: EntityOfOrganisation): DomainResponse => ({
  id: entity.id,
  fullname: entity.name,
  organisationId: entity.organisationId,
  organisationName: entity.organisationName,
});

export const toMailGroupResponse = (entity: EntityOfOrganisation): MailGroupResponse => ({
  ...toNamedEntityResponse(entity),
  domains: (entity.domains ?? []).map(toMailDomainResponse),
});

/** How many entities of each kind there are. */
export class EntityTotalsResponse {
  @Shown({ type: 'integer', description: 'How many apps there are', example: 2 }) apps!: number;
  @Shown({ type: 'integer', description: 'How many domains there are', example: 5 }) domains!: number;
  @Shown({ type: 'integer', description: 'How many mail groups there are', example: 1 }) mailgroups!: number;
  @Shown({ type: 'integer', description: 'How many systems there are', example: 3 }) systems!: number;
}

/** Everything that an organisation may access. */
export class EntityOverviewResponse {
  @Shown({ type: EntityTotalsResponse, description: 'How many of each kind there are' })
  total!: EntityTotalsResponse;

  @Shown({ type: [DomainResponse], description: 'Domains, all of them' }) domains!: DomainResponse[];

  @Shown({ type: [NamedEntityResponse], description: 'Systems, all of them' })
  systems!: NamedEntityResponse[];

  @Shown({ type: [NamedEntityResponse], description: 'Apps, all of them' }) apps!: NamedEntityResponse[];

  @Shown({ type: [MailGroupResponse], description: 'Mail groups, all of them' })
  mailgroups!: MailGroupResponse[];
}

/** A row of the csv form of the entity overview: the listing of all entities (decisions.md section 1). */
export class EntityRow {
  @Shown({ enum: [...ENTITY_KINDS] }) kind!: string;
  @Shown({ type: 'integer' }) id!: number;
  @Shown() name!: string;
  @Shown({ type: 'integer' }) organisationId!: number;
  @Shown() organisationName!: string;
  @Shown({ type: [String], description: 'Names of the domains of a mail group' }) domains!: string[];
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
