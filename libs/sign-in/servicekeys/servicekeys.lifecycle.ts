import { organisationCredentials } from '@app/lifecycle/table-rules';
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
      adminOnly: 'as_admin',
      hidden: 'id organisation_id digest',
      names: { reaches_beneath: 'beneath' },
    },
    afterRestore: { keeps: { serviceKeys: 'expires_at > now()' } },
  },
);
