import { orderBy } from '@app/core/wire/order-by';
import { TEAM_COLUMNS } from '../team.columns';
import { listShape, responseShape } from '@app/core/wire/shapes';
import type { TeamDetails, TeamEntityTie, TeamOrder } from '../team.types';
import { addTeamEntityShape } from './add-team-entity.dto';
import { createTeamShape } from './create-team.dto';
import { SingleTeamEntityResponse, toTeamEntityResponse } from './team-entity.response';
import { TeamResponse, SingleTeamResponse, TeamListResponse, toTeamResponse } from './team.response';
import { updateTeamShape } from './update-team.dto';

/** The request and response shapes of teams, the same in both variants. */
export class TeamsShapes {
  /** Body of POST. */
  readonly create = createTeamShape;
  /** Body of PUT. */
  readonly update = updateTeamShape;
  /** Response of everything that gives one team. */
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
