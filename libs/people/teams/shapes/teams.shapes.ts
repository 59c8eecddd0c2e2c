import { orderBy } from '@app/platform/lists/columns';
import { TEAM_COLUMNS, type TeamDetails, type TeamOrder } from '../team.columns';
import { responseShape } from '@app/platform/dto/shapes';
import type { TeamEntityTie } from '../team.types';
import { addTeamEntityShape, createTeamShape, updateTeamShape } from './team.dto';
import { SingleTeamEntityResponse, toTeamEntityResponse } from './team-entities.response';
import { SingleTeamResponse, TeamListResponse, TeamResponse, toTeamResponse } from './team.response';
import { listShape } from '@app/platform/lists/list-request';

/** The shapes of teams in both variants. */
export class TeamsShapes {
  /** Body of POST. */
  readonly create = createTeamShape;
  /** Body of PUT. */
  readonly update = updateTeamShape;
  /** Response with one team. */
  readonly single = responseShape(SingleTeamResponse, (team: TeamDetails) => ({
    team: toTeamResponse(team),
  }));
  /** Body that puts an app, domain, mail group or system into a team. */
  readonly addEntity = addTeamEntityShape;
  /** Response to it. */
  readonly entity = responseShape(SingleTeamEntityResponse, (entity: TeamEntityTie) => ({
    entity: toTeamEntityResponse(entity),
  }));
  /** Response of the list. */
  readonly list = listShape<TeamDetails, TeamListResponse, TeamOrder>(
    TeamListResponse,
    {
      orderBy: orderBy(TEAM_COLUMNS, TeamResponse, {}),
      search: {},
    },
    (page) => ({ teams: page.items.map(toTeamResponse) }),
  );
}
