import { type CredentialRules, organisationTable } from '@app/lifecycle/table-rules';
import { DOCUMENT_CONSTRAINT_ERRORS } from './document.types';

/** Foreign keys delete files and links with their documents, and links with their contacts. */
export const DOCUMENT_RULES = organisationTable('documents', 'it belongs to the organisation', {
  constraintErrors: DOCUMENT_CONSTRAINT_ERRORS,
  otherTexts: 'name pdf_sha256 xml_sha256',
  audited: {
    kind: 'documents',
    shown: 'name pdf_size xml_size pdf_sha256 xml_sha256 created_at sent_at',
    hidden: 'id organisation_id',
  },
});

export const DOCUMENT_LINK_RULES: CredentialRules = {
  table: 'document_links',
  outdated: 'expires_at < now()',
  afterRestore: { keeps: { documentLinks: 'expires_at > now()' } },
};
