import { MailDomainResponse, toMailDomainResponse } from '@app/people/teams/shapes/team-entities.response';
import type { FieldDescription } from '@app/platform/dto/described-fields';
import { ResponseField } from '@app/platform/dto/shapes';
import type { Page } from '@app/platform/lists/paginator';
import type { EntityOfOrganisation } from './entities.service';
import { ENTITY_KINDS } from './entity.types';

const ENTITY = {
  id: { type: 'integer', description: 'Identifier in the register, unique in its kind' },
  organisationId: {
    type: 'integer',
    description: 'Identifier of the organisation that it belongs to',
    example: 12,
  },
  organisationName: { description: 'Name of that organisation', example: 'Bakkerij de Vries' },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** An app or a system. */
export class NamedEntityResponse {
  @ResponseField({ ...ENTITY.id, example: 501 }) id!: number;
  @ResponseField({ description: 'Name in the register', example: 'web01' }) name!: string;
  @ResponseField(ENTITY.organisationId) organisationId!: number;
  @ResponseField(ENTITY.organisationName) organisationName!: string;
}

/** A domain. */
export class DomainResponse {
  @ResponseField({ ...ENTITY.id, example: 77 }) id!: number;

  @ResponseField({ description: 'Name of the domain with its extension', example: 'bakkerijdevries.nl' })
  fullname!: string;

  @ResponseField(ENTITY.organisationId) organisationId!: number;
  @ResponseField(ENTITY.organisationName) organisationName!: string;
}

/** A mail group with its domains. */
export class MailGroupResponse {
  @ResponseField({ ...ENTITY.id, example: 31 }) id!: number;
  @ResponseField({ description: 'Name in the register', example: 'Mail' }) name!: string;
  @ResponseField(ENTITY.organisationId) organisationId!: number;
  @ResponseField(ENTITY.organisationName) organisationName!: string;

  @ResponseField({ type: [MailDomainResponse], description: 'The domains whose mail it is' })
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

/** The number of entities of each kind. */
export class EntityTotalsResponse {
  @ResponseField({ type: 'integer', description: 'How many apps there are', example: 2 }) apps!: number;
  @ResponseField({ type: 'integer', description: 'How many domains there are', example: 5 }) domains!: number;
  @ResponseField({ type: 'integer', description: 'How many mail groups there are', example: 1 })
  mailgroups!: number;
  @ResponseField({ type: 'integer', description: 'How many systems there are', example: 3 }) systems!: number;
}

/** Everything that an organisation may access. */
export class EntityOverviewResponse {
  @ResponseField({ type: EntityTotalsResponse, description: 'How many of each kind there are' })
  total!: EntityTotalsResponse;

  @ResponseField({ type: [DomainResponse], description: 'Domains, all of them' }) domains!: DomainResponse[];

  @ResponseField({ type: [NamedEntityResponse], description: 'Systems, all of them' })
  systems!: NamedEntityResponse[];

  @ResponseField({ type: [NamedEntityResponse], description: 'Apps, all of them' })
  apps!: NamedEntityResponse[];

  @ResponseField({ type: [MailGroupResponse], description: 'Mail groups, all of them' })
  mailgroups!: MailGroupResponse[];
}

/** A row in the csv form of the entity overview: the listing of all entities (rule register 3). */
export class EntityRow {
  @ResponseField({ enum: [...ENTITY_KINDS] }) kind!: string;
  @ResponseField({ type: 'integer' }) id!: number;
  @ResponseField() name!: string;
  @ResponseField({ type: 'integer' }) organisationId!: number;
  @ResponseField() organisationName!: string;
  @ResponseField({ type: ['string'], description: 'Names of the domains of a mail group' })
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
