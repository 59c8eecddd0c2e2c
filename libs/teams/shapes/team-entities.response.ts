import { ApiProperty } from '@nestjs/swagger';
import { MailDomainResponse, toMailDomainResponse } from './mail-domain.response';
import type { TeamEntityDetails, TeamEntityKind } from '../team.types';

class NamedResponse {
  @ApiProperty({ type: 'integer', example: 78 })
  id!: number;

  @ApiProperty({ example: 'web1' })
  name!: string;
}

class DomainOfTeamResponse {
  @ApiProperty({ type: 'integer', example: 79 })
  id!: number;

  @ApiProperty({ example: 'example.nl' })
  fullname!: string;
}

class MailGroupOfTeamResponse {
  @ApiProperty({ type: 'integer', example: 31 })
  id!: number;

  @ApiProperty({ example: 'Mail' })
  name!: string;

  @ApiProperty({ type: [MailDomainResponse] })
  domains!: MailDomainResponse[];
}

/**
 * The entities of a team by kind. The kinds are lists of objects, as in the entity overview: a client reads them
 * with the same types, and a bare number there would be fatal to its whole call.
 */
export class TeamEntitiesResponse {
  @ApiProperty({ type: [NamedResponse] })
  apps!: NamedResponse[];

  @ApiProperty({ type: [DomainOfTeamResponse] })
  domains!: DomainOfTeamResponse[];

  @ApiProperty({ type: [MailGroupOfTeamResponse] })
  mailgroups!: MailGroupOfTeamResponse[];

  @ApiProperty({ type: [NamedResponse] })
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
