import type { RestoredList } from '@app/lifecycle/after-restore';
import { inUnixSeconds } from '@app/lifecycle/audited-table';
import { deletedRows } from '@app/lifecycle/deletions';
import { type PersonalData, storedBy } from '@app/lifecycle/personal-data';
import type { TableRules } from '@app/lifecycle/table-rules';
import { LIFT } from './suspension.queries';
import { SUSPENSION_CONSTRAINT_ERRORS } from './suspension.types';

interface RestoredSuspension {
  readonly organisationId: number;
  readonly itself: boolean;
  readonly beneath: boolean;
  readonly since: Date;
  readonly reason: string;
}

/** Ends since the backup are lost, and suspensions that began since then are missing. */
const RESTORED: RestoredList = {
  name: 'suspensions',
  statement: `
    SELECT organisation_id AS "organisationId", itself, beneath, since, reason FROM suspensions ORDER BY since DESC, id`,
  head: ['Suspended', 'Whom', 'Since'],
  cells: ({ organisationId, itself, beneath, since }: RestoredSuspension) => [
    organisationId,
    beneath ? (itself ? 'with all beneath' : 'all beneath') : 'itself',
    since,
  ],
};

export const SUSPENSION_RULES: TableRules = {
  table: 'suspensions',
  constraintErrors: SUSPENSION_CONSTRAINT_ERRORS,
  otherTexts: 'reason',
  withUsers: 'it outlives its maker, whose name is hidden from then on',
  withOrganisation: deletedRows(LIFT),
  audited: {
    kind: 'suspensions',
    // The state of the organisation has the suspending user and the reason, for readers who may see them.
    shown: 'itself beneath since',
    adminOnly: 'reason by_organisation_id by_user_id',
    hidden: 'id organisation_id',
    names: { beneath: 'withSubOrganisations' },
    values: { since: inUnixSeconds },
  },
  afterRestore: { keeps: { suspensions: 'true' }, lists: RESTORED },
};

export const SUSPENSION_PERSONAL_DATA: PersonalData = {
  table: 'suspensions',
  part: 'suspensions',
  about: 'Organisations that the person suspended and that are suspended still.',
  stored:
    storedBy(`SELECT organisation_id AS "organisationId", itself, beneath AS "withSubOrganisations", reason, since
       FROM suspensions WHERE by_user_id = $1 ORDER BY id`),
  erase: 'the id of whoever suspended it stays, and a reason is a text that people wrote',
};
