import { erasedBy } from '@app/lifecycle/personal-data';
import { deletedOfOrganisation, userCredentials } from '@app/lifecycle/table-rules';
import { KEPT_RESPONSE_CONSTRAINT_ERRORS, keptResponseContext } from './idempotency.types';

/** Responses kept for a service key are deleted with the key. */
export const KEPT_RESPONSE_RULES = userCredentials('kept_responses', {
  part: 'keptResponses',
  personalTexts: 'sealed',
  constraintErrors: KEPT_RESPONSE_CONSTRAINT_ERRORS,
  about: 'When programs of the person made changes that they could repeat, in the last day.',
  exported: `id, created_at AS "createdAt"`,
  withOrganisation: deletedOfOrganisation('kept_responses'),
  // Every response about the person's organisation may contain the person, and sealed
  // responses cannot be searched.
  erase: erasedBy(`DELETE FROM kept_responses WHERE organisation_id = $1`, ({ organisationId }) => [
    organisationId,
  ]),
  outdated: `created_at < now() - interval '24 hours'`,
  sealed: [
    {
      name: 'keptResponses',
      kind: 'kept response',
      example: 'kept response',
      sealed: 'sealed',
      id: 'id',
      bound: 'digest',
      contextOf: keptResponseContext,
    },
  ],
  afterRestore: 'only a valid credential of the same caller gets a response again, for a day',
});
