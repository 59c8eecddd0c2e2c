import { ResponseField } from '@app/platform/dto/shapes';
import {
  type MailDomain,
  TEAM_ENTITY_KINDS,
  type TeamEntityDetails,
  type TeamEntityKind,
  type TeamEntityTie,
} from '../team.types';

class DomaintypeResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the extension', example: 4 }) id!: number;

  @ResponseField({ description: 'Name of the extension; empty where the register has none', example: 'nl' })
  name!: string;

  @ResponseField({ description: 'The extension without its dot', example: 'nl' }) extension!: string;
}

/** A domain of a mail group, in teams and in the entity overview. */
export class MailDomainResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the domain', example: 77 }) id!: number;

  @ResponseField({ description: 'Name of the domain without its extension', example: 'bakkerijdevries' })
  name!: string;

  @ResponseField({ type: 'boolean', description: 'Whether it is the main domain of the mail group' })
  mailPrimary!: boolean;

  @ResponseField({ type: DomaintypeResponse, description: 'The extension of the domain' })
  domaintype!: DomaintypeResponse;
}

export const toMailDomainResponse = ({
  id,
  name,
  mailPrimary,
  domaintype,
}: MailDomain): MailDomainResponse => ({
  id,
  name,
  mailPrimary,
  domaintype: { id: domaintype.id, name: domaintype.name ?? '', extension: domaintype.extension },
});

class NamedResponse {
  @ResponseField({ type: 'integer', description: 'Identifier in the register', example: 78 }) id!: number;
  @ResponseField({ description: 'Name in the register', example: 'web1' }) name!: string;
}

class DomainOfTeamResponse {
  @ResponseField({ type: 'integer', description: 'Identifier in the register', example: 79 }) id!: number;
  @ResponseField({ description: 'Name of the domain with its extension', example: 'example.nl' })
  fullname!: string;
}

class MailGroupOfTeamResponse {
  @ResponseField({ type: 'integer', description: 'Identifier in the register', example: 31 }) id!: number;
  @ResponseField({ description: 'Name in the register', example: 'Mail' }) name!: string;

  @ResponseField({ type: [MailDomainResponse], description: 'The domains whose mail it is' })
  domains!: MailDomainResponse[];
}

/**
 * The entities of a team by kind, as lists of objects, because clients read them with the
 * types of the entity overview.
 */
export class TeamEntitiesResponse {
  @ResponseField({ type: [NamedResponse], description: 'Apps of the team' }) apps!: NamedResponse[];

  @ResponseField({ type: [DomainOfTeamResponse], description: 'Domains of the team' })
  domains!: DomainOfTeamResponse[];

  @ResponseField({ type: [MailGroupOfTeamResponse], description: 'Mail groups of the team' })
  mailgroups!: MailGroupOfTeamResponse[];

  @ResponseField({ type: [NamedResponse], description: 'Systems of the team' }) systems!: NamedResponse[];
}

export function toTeamEntitiesResponse(entities: readonly TeamEntityDetails[]): TeamEntitiesResponse {
  const of = (kind: TeamEntityKind) => entities.filter((entity) => entity.kind === kind);
  const named = (kind: TeamEntityKind): NamedResponse[] =>
    of(kind).map(({ objectId, name }) => ({ id: objectId, name }));
  return {
    apps: named('apps'),
    domains: named('domains').map(({ id, name }) => ({ id, fullname: name })),
    mailgroups: of('mailgroups').map(({ objectId, name, domains }) => ({
      id: objectId,
      name,
      domains: (domains ?? []).map(toMailDomainResponse),
    })),
    systems: named('systems'),
  };
}

/** The class of the object in the singular, as in acls. */
export const OBJECT_OF: Readonly<Record<TeamEntityKind, string>> = {
  apps: 'app',
  domains: 'domain',
  mailgroups: 'mailgroup',
  systems: 'system',
};

export const OBJECTS = TEAM_ENTITY_KINDS.map((kind) => OBJECT_OF[kind]);

/** An app, domain, mail group or system of a team. */
export class TeamEntityResponse {
  @ResponseField({
    type: 'integer',
    example: 91,
    description: 'Identifier of the tie between team and object',
  })
  id!: number;

  @ResponseField({ enum: OBJECTS, description: 'What it is' }) object!: string;

  @ResponseField({ type: 'integer', description: 'Identifier of the object in the register', example: 78 })
  objectId!: number;
}

export const toTeamEntityResponse = (entity: TeamEntityTie): TeamEntityResponse => ({
  id: entity.id,
  object: OBJECT_OF[entity.kind],
  objectId: entity.objectId,
});
