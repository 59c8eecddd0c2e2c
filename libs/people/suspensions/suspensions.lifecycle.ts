import { deletedRows } from '@app/lifecycle/deletions';
import { erasedBy, type PersonalData, storedBy } from '@app/lifecycle/personal-data';
import type { TableRules } from '@app/lifecycle/table-rules';
import { LIFT } from './suspension.queries';
import { SUSPENSION_CONSTRAINT_ERRORS } from './suspension.types';

export const SUSPENSION_RULES: TableRules = {
  table: 'suspensions',
  constraintErrors: SUSPENSION_CONSTRAINT_ERRORS,
  withUsers: 'it outlives its maker, whose name is hidden from then on',
  withOrganisation: deletedRows(LIFT),
};

/** A reason may contain any person's name. */
const ERASE = `
  UPDATE suspensions SET reason =
    left(forget_in_text(reason, CASE WHEN organisation_id = $1 THEN $2 ELSE $4 END), 1000)
  WHERE is_named_in(reason, CASE WHEN organisation_id = $1 THEN $2 ELSE $3 END)`;

export const SUSPENSION_PERSONAL_DATA: PersonalData = {
  table: 'suspensions',
  part: 'suspensions',
  about: 'Organisations that the person suspended and that are suspended still.',
  stored:
    storedBy(`SELECT organisation_id AS "organisationId", itself, beneath AS "withSubOrganisations", reason, since
       FROM suspensions WHERE by_user_id = $1 ORDER BY id`),
  erase: erasedBy(ERASE, ({ organisationId, within, everywhere, named }) => [
    organisationId,
    within,
    everywhere,
    named,
  ]),
};
