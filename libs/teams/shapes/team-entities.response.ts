import { ApiProperty } from '@nestjs/swagger';
import { MailDomainResponse, toMailDomainResponse } from './mail-domain.response';
import type { TeamEntityDetails, TeamEntityKind } from '../team.types';

class NamedResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier in the register', example: 78 })
  id!: number;

  @ApiProperty({ description: 'Name in the register', example: 'web1' })
  name!: string;
}

class DomainOfTeamResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier in the register', example: 79 })
  id!: number;

  @ApiProperty({ description: 'Name of the domain with its extension', example: 'example.nl' })
  fullname!: string;
}

class MailGroupOfTeamResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier in the register', example: 31 })
  id!: number;

  @ApiProperty({ description: 'Name in the register', example: 'Mail' })
  name!: string;

  @ApiProperty({ type: [MailDomainResponse], description: 'The domains whose mail it is' })
  domains!: MailDomainResponse[];
}

/**
 * The entities of a team by kind. The kinds are lists of objects, as in the entity overview: a client reads them
 * with the same types, and a bare number there would be fatal to its whole call.
 */
export class TeamEntitiesResponse {
  @ApiProperty({ type: [NamedResponse], description: 'Apps of the team' })
  apps!: NamedResponse[];

  @ApiProperty({ type: [DomainOfTeamResponse], description: 'Domains of the team' })
  domains!: DomainOfTeamResponse[];

  @ApiProperty({ type: [MailGroupOfTeamResponse], description: 'Mail groups of the team' })
  mailgroups!: MailGroupOfTeamResponse[];

  @ApiProperty({ type: [NamedResponse], description: 'Systems of the team' })
  systems!: NamedResponse[];
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
