import { declareConstraintFaults } from '@app/core/errors/constraints';

const gone = { message: 'The team does not exist any more.' };

declareConstraintFaults({
  teams_name_unique: { field: 'name', message: 'This team exists already.' },
  team_members_team_exists: gone,
  team_entities_team_exists: gone,
});
