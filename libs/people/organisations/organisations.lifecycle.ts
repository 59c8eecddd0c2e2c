import { inUnixSeconds } from '@app/lifecycle/audited-table';
import type { TableRules } from '@app/lifecycle/table-rules';
import { schemaOf } from '@app/platform/database/schema-names';
import {
  jsonNameOf,
  ORGANISATION_FIELD_NAMES,
  ORGANISATION_FIELDS,
  type OrganisationFieldName,
} from './organisation.columns';
import { Organisation } from './organisation.entity';
import { ORGANISATION_CONSTRAINT_ERRORS } from './organisation.types';
import { PRICE_GROUP_CONSTRAINT_ERRORS } from './price-groups/price-groups.service';
import { TREE_CHECKS } from './tree-checks';

/** The fields that the table stores, with their columns. Each row of the audit log has the id anyway. */
const COLUMNS = ORGANISATION_FIELD_NAMES.filter((field) => field !== 'id').flatMap((field) => {
  const column = schemaOf(Organisation).columns.get(field);
  return column === undefined ? [] : [[field, column] as const];
});

/** Who sees a field sees its changes. A field that a request sets and no response shows is for admins. */
function readersOf(field: OrganisationFieldName): 'all' | 'admin' | 'nobody' {
  const { shownTo, writableBy } = ORGANISATION_FIELDS[field];
  return shownTo === 'nobody' && writableBy !== 'nobody' ? 'admin' : shownTo;
}

const columnsSeenBy = (readers: 'all' | 'admin'): string =>
  COLUMNS.flatMap(([field, column]) => (readersOf(field) === readers ? [column] : [])).join(' ');

export const ORGANISATION_RULES: TableRules = {
  table: 'organisations',
  otherTexts: `name tax_number street house_number zip city country_code external_id remarks_to_print_invoice
    before_first_order document_interval source1 source2 discount default_agreements information`,
  constraintErrors: ORGANISATION_CONSTRAINT_ERRORS,
  withUsers: 'an organisation outlives its users',
  withOrganisation: 'the row itself is soft-deleted and keeps its id; nothing lies beneath it',
  audited: {
    kind: 'organisations',
    shown: `${columnsSeenBy('all')} created_at deleted_at`,
    adminOnly: `${columnsSeenBy('admin')} is_reseller limit_times`,
    hidden: 'id',
    names: Object.fromEntries(COLUMNS.map(([field, column]) => [column, jsonNameOf(field)])),
    values: { next_invoice_run: inUnixSeconds },
  },
};

export const PRICE_GROUP_RULES: TableRules = {
  table: 'price_groups',
  otherTexts: 'description',
  constraintErrors: PRICE_GROUP_CONSTRAINT_ERRORS,
  // Price groups belong to no organisation, so only admins see them.
  audited: { kind: 'pricegroups', shown: '', adminOnly: 'description', hidden: 'id' },
};

export const ORGANISATION_CLOSURE_RULES: TableRules = {
  table: 'organisation_closure',
  withUsers: 'it refers to no users',
  withOrganisation: 'the tree triggers delete the rows',
  checks: TREE_CHECKS,
};
