import {
  limitReached,
  type ConstraintError,
  type ConstraintErrors,
} from '@app/core/errors/constraint-errors';
import { TEAM_LIMITS } from './teams.limits';

const gone: ConstraintError = { reason: 'BAD_REQUEST', message: 'The team does not exist any more.' };

export const TEAM_CONSTRAINT_ERRORS: ConstraintErrors = {
  teams_name_unique: { field: 'name', reason: 'ALREADY_TAKEN', message: 'This team exists already.' },
  teams_limit_of_organisation: limitReached(
    `An organisation has at most ${TEAM_LIMITS.ofOrganisation} teams.`,
  ),
  team_members_team_exists: gone,
  team_entities_team_exists: gone,
};
