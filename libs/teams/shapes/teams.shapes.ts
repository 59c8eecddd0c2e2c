import {
  creationShape,
  replyShape,
  type ListShape,
  type ReplyShape,
  type RequestShape,
} from '@app/core/wire/shapes';
import type { TeamDetails, TeamEntityDetails, TeamEntityInput, TeamInput, TeamOrder } from '../team.values';
import { TeamAnswer, TeamEntityAnswer, teamEntityReply, teamReply } from './team-replies';
import { changeShapeOfTeam, creationShapeOfTeam, TeamEntityRequest } from './team-requests';

/** The request and response shapes of teams, in the running variant. */
export abstract class TeamsShapes {
  /** Body of POST. */
  readonly creation: RequestShape<TeamInput> = creationShapeOfTeam;
  /** Body of PUT. */
  readonly change: RequestShape<TeamInput> = changeShapeOfTeam;
  /** Answer of everything that gives one team. */
  readonly single: ReplyShape<TeamDetails> = replyShape(TeamAnswer, (team: TeamDetails) => ({
    team: teamReply(team),
  }));
  /** Body that puts an app, domain, mail group or system into a team. */
  readonly entityInput: RequestShape<TeamEntityInput> = creationShape(
    TeamEntityRequest,
    (dto): TeamEntityInput => ({ objectId: dto.objectId }),
  );
  /** Answer to it. */
  readonly entity: ReplyShape<TeamEntityDetails> = replyShape(
    TeamEntityAnswer,
    (entity: TeamEntityDetails) => ({ entity: teamEntityReply(entity) }),
  );
  /** Answer of the list. */
  abstract readonly list: ListShape<TeamDetails, TeamOrder>;
}
