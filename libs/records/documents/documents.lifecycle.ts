import { organisationTable, type TableRules } from '@app/lifecycle/table-rules';
import { DOCUMENT_CONSTRAINT_ERRORS } from './document.types';

/** Foreign keys delete files and links with their documents, and links with their contacts. */
export const DOCUMENT_RULES = organisationTable('documents', 'it belongs to the organisation', {
  constraintErrors: DOCUMENT_CONSTRAINT_ERRORS,
});

export const DOCUMENT_LINK_RULES: TableRules = { table: 'document_links', outdated: 'expires_at < now()' };
