import { organisationTable, type TableRules } from '@app/lifecycle/table-rules';

/** Foreign keys delete files and links with their documents, and links with their contacts. */
export const DOCUMENT_RULES = organisationTable('documents', 'it belongs to the organisation');

export const DOCUMENT_LINK_RULES: TableRules = { table: 'document_links', outdated: 'expires_at < now()' };
