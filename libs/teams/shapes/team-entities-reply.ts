import { ApiProperty } from '@nestjs/swagger';
import type { TeamEntityDetails, TeamEntityKind } from '../team.values';

class NamedReply {
  @ApiProperty({ type: 'integer', example: 78 })
  id!: number;

  @ApiProperty({ example: 'web1' })
  name!: string;
}

class DomainOfTeamReply {
  @ApiProperty({ type: 'integer', example: 79 })
  id!: number;

  @ApiProperty({ example: 'example.nl' })
  fullname!: string;
}

/**
 * The entities of a team by kind. The kinds are lists of objects, as in the entity overview: a client reads them
 * with the same types, and a bare number there would be fatal to its whole call.
 */
export class TeamEntitiesReply {
  @ApiProperty({ type: [NamedReply] })
  apps!: NamedReply[];

  @ApiProperty({ type: [DomainOfTeamReply] })
  domains!: DomainOfTeamReply[];

  @ApiProperty({ type: [NamedReply] })
  mailgroups!: NamedReply[];

  @ApiProperty({ type: [NamedReply] })
  systems!: NamedReply[];
}

export function teamEntitiesReply(entities: readonly TeamEntityDetails[]): TeamEntitiesReply {
  const named = (kind: TeamEntityKind): NamedReply[] =>
    entities.filter((entity) => entity.kind === kind).map(({ objectId, name }) => ({ id: objectId, name }));
  return {
    apps: named('apps'),
    domains: named('domains').map(({ id, name }) => ({ id, fullname: name })),
    mailgroups: named('mailgroups'),
    systems: named('systems'),
  };
}
