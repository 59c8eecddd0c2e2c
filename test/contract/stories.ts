import { samplesOf, type Sample, type Story, type VariantName } from '../../qa/sample';
import { refused } from './answers';
import { CONTACT_STORIES } from './contacts.stories';
import { INVITATION_STORIES } from './invitations.stories';
import { KEY_STORIES } from './keys.stories';
import { LOGIN_STORIES } from './login.stories';
import { ORGANISATION_STORIES } from './organisations.stories';
import { OTHER_AREA_STORIES } from './other-areas.stories';
import { PREFERENCE_STORIES } from './preferences.stories';
import { RECOVERY_STORIES } from './recovery.stories';
import { TEAM_STORIES } from './teams.stories';
import { TWO_FACTOR_STORIES } from './two-factor.stories';
import { USER_STORIES } from './users.stories';
import { VARIANT_B_STORIES } from './variant-b.stories';

const WRITTEN: readonly Story[] = [
  ...LOGIN_STORIES,
  ...TWO_FACTOR_STORIES,
  ...RECOVERY_STORIES,
  ...ORGANISATION_STORIES,
  ...USER_STORIES,
  ...INVITATION_STORIES,
  ...TEAM_STORIES,
  ...CONTACT_STORIES,
  ...KEY_STORIES,
  ...PREFERENCE_STORIES,
  ...VARIANT_B_STORIES,
  ...OTHER_AREA_STORIES,
];

/** Records that need not exist: the credential is asked for before anything else is looked at. */
const ANY_RECORD = {
  userId: 1,
  teamId: 1,
  contactId: 1,
  sshkeyId: 1,
  invitationId: 1,
  token2faId: 1,
  apiKeyId: 1,
  granteeId: 1,
  objectId: 1,
} as const;

/** Every operation that asks for a credential, once without. */
function withoutCredential(variant: VariantName): readonly Sample[] {
  const operations = WRITTEN.flatMap((story) => samplesOf(story, variant))
    .filter(({ as, operation }) => as !== undefined && operation !== 'POST /login')
    .map(({ operation }) => operation);
  return [...new Set(operations)].map((operation) => ({
    title: 'needs a credential',
    operation,
    with: ANY_RECORD,
    status: 401,
    answer: refused(401),
  }));
}

/** Every written sample of both variants, in an order in which they can run. */
export const STORIES: readonly Story[] = [
  ...WRITTEN,
  ...(['A', 'B'] as const).map((variant) => ({
    area: 'credentials',
    title: 'nobody gets in',
    only: variant,
    samples: withoutCredential(variant),
  })),
];
