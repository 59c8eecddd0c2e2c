import { erasedBy } from '@app/lifecycle/personal-data';
import { deletedOfOrganisation, userCredentials } from '@app/lifecycle/table-rules';
import { STORED_RESPONSE_CONSTRAINT_ERRORS, storedResponseContext } from './idempotency.types';

/** Responses kept for a service key are deleted with the key. */
export const STORED_RESPONSE_RULES = userCredentials('stored_responses', {
  part: 'storedResponses',
  personalTexts: 'encrypted',
  constraintErrors: STORED_RESPONSE_CONSTRAINT_ERRORS,
  about: 'When programs of the person made changes that they could repeat, in the last day.',
  exported: `id, created_at AS "createdAt"`,
  withOrganisation: deletedOfOrganisation('stored_responses'),
  // Every response about the person's organisation may contain the person, and encrypted
  // responses cannot be searched.
  erase: erasedBy(`DELETE FROM stored_responses WHERE organisation_id = $1`, ({ organisationId }) => [
    organisationId,
  ]),
  outdated: `created_at < now() - interval '24 hours'`,
  encrypted: [
    {
      name: 'storedResponses',
      kind: 'stored response',
      example: 'stored response',
      encrypted: 'encrypted',
      id: 'id',
      bound: 'digest',
      contextOf: storedResponseContext,
    },
  ],
  afterRestore: 'only a valid credential of the same caller gets a response again, for a day',
});
