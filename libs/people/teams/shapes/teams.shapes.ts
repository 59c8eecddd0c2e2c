import { singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { TEAM_COLUMNS } from '../team.columns';
import { addTeamEntityShape, createTeamShape, updateTeamShape } from './team.dto';
import { TeamResponse, toTeamResponse } from './team.response';
import { TeamEntityResponse, toTeamEntityResponse } from './team-entities.response';

/** The shapes of teams in both variants. */
export class TeamsShapes {
  readonly create = createTeamShape;
  readonly update = updateTeamShape;
  /** Response with one team. */
  readonly single = singleOf('team', TeamResponse, toTeamResponse);
  /** Body that puts an app, domain, mail group or system into a team. */
  readonly addEntity = addTeamEntityShape;
  /** Response to {@link addEntity}. */
  readonly entity = singleOf('entity', TeamEntityResponse, toTeamEntityResponse, {
    description: 'The tie between team and object',
  });
  readonly list = listOf('teams', TEAM_COLUMNS, TeamResponse, toTeamResponse, { orders: {} });
}
