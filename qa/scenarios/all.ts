import { refused } from '../responses';
import { type Example, examplesOf, type Scenario } from '../scenario';
import { type Variant, VARIANTS } from '../variants';
import { ACCESS_SCENARIOS } from './access.scenarios';
import { AUDIT_SCENARIOS } from './audit.scenarios';
import { BRAND_SCENARIOS } from './brands.scenarios';
import { CONTACT_SCENARIOS } from './contacts.scenarios';
import { DOCUMENT_SCENARIOS } from './documents.scenarios';
import { ENTITY_SCENARIOS } from './entities.scenarios';
import { EVENT_SCENARIOS } from './events.scenarios';
import { GRANT_SCENARIOS } from './grants.scenarios';
import { IDEMPOTENCY_SCENARIOS } from './idempotency.scenarios';
import { INVITATION_SCENARIOS } from './invitations.scenarios';
import { KEY_SCENARIOS } from './keys.scenarios';
import { LOGIN_SCENARIOS } from './login.scenarios';
import { LOGIN_LINK_SCENARIOS } from './login-links.scenarios';
import { NOTIFICATION_SCENARIOS } from './notifications.scenarios';
import { ORGANISATION_SCENARIOS } from './organisations.scenarios';
import { OTHER_AREA_SCENARIOS } from './other-areas.scenarios';
import { OWN_LOGIN_SCENARIOS } from './own-logins.scenarios';
import { PASSKEY_SCENARIOS } from './passkeys.scenarios';
import { PREFERENCE_SCENARIOS } from './preferences.scenarios';
import { RECOVERY_SCENARIOS } from './recovery.scenarios';
import { REFERENCE_SCENARIOS } from './reference.scenarios';
import { SERVICE_KEY_SCENARIOS } from './servicekeys.scenarios';
import { SUPPORT_SCENARIOS } from './support.scenarios';
import { SUSPENSION_SCENARIOS } from './suspensions.scenarios';
import { TEAM_SCENARIOS } from './teams.scenarios';
import { TWO_FACTOR_SCENARIOS } from './two-factor.scenarios';
import { USER_SCENARIOS } from './users.scenarios';
import { VARIANT_B_SCENARIOS } from './variant-b.scenarios';
import { WEBHOOK_SCENARIOS } from './webhooks.scenarios';

const WRITTEN: readonly Scenario[] = [
  ...LOGIN_SCENARIOS,
  ...OWN_LOGIN_SCENARIOS,
  ...TWO_FACTOR_SCENARIOS,
  ...RECOVERY_SCENARIOS,
  ...ORGANISATION_SCENARIOS,
  ...SUSPENSION_SCENARIOS,
  ...USER_SCENARIOS,
  ...INVITATION_SCENARIOS,
  ...TEAM_SCENARIOS,
  ...CONTACT_SCENARIOS,
  ...NOTIFICATION_SCENARIOS,
  ...KEY_SCENARIOS,
  ...SERVICE_KEY_SCENARIOS,
  ...WEBHOOK_SCENARIOS,
  ...BRAND_SCENARIOS,
  ...SUPPORT_SCENARIOS,
  ...LOGIN_LINK_SCENARIOS,
  ...GRANT_SCENARIOS,
  ...PREFERENCE_SCENARIOS,
  ...DOCUMENT_SCENARIOS,
  ...REFERENCE_SCENARIOS,
  ...ENTITY_SCENARIOS,
  ...VARIANT_B_SCENARIOS,
  ...ACCESS_SCENARIOS,
  ...AUDIT_SCENARIOS,
  ...EVENT_SCENARIOS,
  ...IDEMPOTENCY_SCENARIOS,
  ...OTHER_AREA_SCENARIOS,
];

/**
 * Records below the organisation of the run, which need not exist: the credential is asked for before
 * anything else is looked at.
 */
const anyRecords = (operation: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...operation.matchAll(/\{(?!organisationId\})(\w+Id)\}/g)].map(([, name = '']) => [name, 1] as const),
  );

/** Every operation of scenarios that asks for a credential, once without. */
function withoutCredential(scenarios: readonly Scenario[], variant: Variant): readonly Example[] {
  const operations = scenarios
    .flatMap((scenario) => examplesOf(scenario, variant))
    .filter(({ as, operation }) => as !== undefined && operation !== 'POST /login')
    .map(({ operation }) => operation);
  return [...new Set(operations)].map((operation) => ({
    title: 'needs a credential',
    operation,
    with: anyRecords(operation),
    status: 401,
    response: refused(401),
  }));
}

/** Every written example of both variants, in an order in which they can run. */
export const SCENARIOS: readonly Scenario[] = [
  ...WRITTEN,
  ...VARIANTS.map((variant) => ({
    area: 'credentials',
    title: 'nobody gets in',
    only: variant,
    examples: withoutCredential(WRITTEN, variant),
  })),
  // Not every deployment has these routes.
  ...PASSKEY_SCENARIOS,
  {
    area: 'passkeys',
    title: 'nobody gets in',
    only: 'A',
    needs: ['passkeys'],
    examples: withoutCredential(PASSKEY_SCENARIOS, 'A'),
  },
];
