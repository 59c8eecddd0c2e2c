import { organisationTable } from '@app/lifecycle/table-rules';
import { BRAND_CONSTRAINT_ERRORS } from './brand.types';

export const BRAND_RULES = organisationTable('brands', 'it belongs to the organisation', {
  constraintErrors: BRAND_CONSTRAINT_ERRORS,
  otherTexts: 'name support_url panel_url colour',
  // The panel of a reseller may have been given up since the backup.
  afterRestore: { keeps: { brandsWithPanel: `panel_url <> ''` } },
  audited: { kind: 'brands', shown: 'name support_url panel_url colour', hidden: 'id organisation_id' },
});
