import { erasedBy, type PersonalData, storedBy } from '@app/lifecycle/personal-data';
import { organisationTable } from '@app/lifecycle/table-rules';
import { BRAND_CONSTRAINT_ERRORS } from './brand.types';

export const BRAND_RULES = organisationTable('brands', 'it belongs to the organisation', {
  constraintErrors: BRAND_CONSTRAINT_ERRORS,
  // The panel of a reseller may have been given up since the backup.
  afterRestore: { keeps: { brandsWithPanel: `panel_url <> ''` } },
  audited: { kind: 'brands', shown: 'name support_url panel_url colour', hidden: 'id organisation_id' },
});

/** Only the address of a person finds it in brands of other organisations; its name is then forgotten too. */
const NAMING = `CASE WHEN organisation_id = $1 THEN $2 ELSE $3 END`;
const IS_NAMING = `(is_named_in(name, ${NAMING}) OR is_named_in(support_url, ${NAMING}) OR is_named_in(panel_url, ${NAMING}))`;

const STORED = `
  SELECT id, organisation_id AS "organisationId", name, support_url AS "supportUrl", panel_url AS "panelUrl", colour
  FROM brands
  WHERE ${IS_NAMING} ORDER BY id`;

/** A URL without a part leads elsewhere, so it goes as a whole; mails then name that of the operator. */
const ERASE = `
  UPDATE brands SET
    name = left(forget_in_text(name, CASE WHEN organisation_id = $1 THEN $2 ELSE $4 END), 100),
    support_url = CASE WHEN is_named_in(support_url, ${NAMING}) THEN '' ELSE support_url END,
    panel_url = CASE WHEN is_named_in(panel_url, ${NAMING}) THEN '' ELSE panel_url END
  WHERE ${IS_NAMING}`;

export const BRAND_PERSONAL_DATA: PersonalData = {
  table: 'brands',
  part: 'brands',
  about: 'Names and addresses under which mails are sent that name the person.',
  stored: storedBy(STORED, ({ organisationId, within, everywhere }) => [organisationId, within, everywhere]),
  erase: erasedBy(ERASE, ({ organisationId, within, everywhere, named }) => [
    organisationId,
    within,
    everywhere,
    named,
  ]),
};
