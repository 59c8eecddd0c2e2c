import { organisationCredentials } from '@app/lifecycle/table-rules';
import { madeOutOfReach } from '@app/people/organisations/maker-above';
import { SERVICE_KEY_CONSTRAINT_ERRORS } from './service-key.types';

export const SERVICE_KEY_RULES = organisationCredentials(
  'service_keys',
  'it belongs to the organisation and outlives whoever made it',
  {
    constraintErrors: SERVICE_KEY_CONSTRAINT_ERRORS,
    otherTexts: 'name operations whitelist',
    // Without this, years of rotation would fill an organisation's list.
    outdated: 'rotated_at IS NOT NULL AND expires_at < now()',
    audited: {
      kind: 'servicekeys',
      shown: 'name operations reaches_beneath whitelist created_at expires_at rotated_at',
      adminOnly: 'as_admin made_by_organisation',
      hidden: 'id organisation_id digest',
      names: { reaches_beneath: 'beneath', made_by_organisation: 'madeBy' },
    },
    afterRestore: { keeps: { serviceKeys: 'expires_at > now()' } },
    checks: [
      madeOutOfReach('service_keys', {
        name: 'service keys from above',
        finds: 'service keys that a manager above made and whose organisation lies beneath no more',
        end: 'DELETE FROM service_keys made',
      }),
    ],
  },
);
