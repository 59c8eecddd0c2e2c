import { ACCESS_REASONS, ACCESS_FAULTS } from '@app/security/access/access.reasons';
import { PASSWORD_FAULTS } from '@app/security/passwords/password.reasons';
import { ORGANISATION_REASONS, ORGANISATION_FAULTS } from '@app/people/organisations/organisation.reasons';
import { USER_REASONS, USER_FAULTS } from '@app/people/users/user.reasons';
import { CONTACT_FAULTS } from '@app/people/contacts/contact.reasons';
import { INVITATION_REASONS, INVITATION_FAULTS } from '@app/people/invitations/invitation.reasons';
import { AUTH_REASONS } from '@app/sign-in/auth/auth.reasons';
import { RECOVERY_REASONS } from '@app/sign-in/recovery/recovery.reasons';
import { PASSKEY_FAULTS } from '@app/sign-in/passkeys/passkey.reasons';
import { API_KEY_REASONS } from '@app/sign-in/apikeys/api-key.reasons';
import { SERVICE_KEY_REASONS, SERVICE_KEY_FAULTS } from '@app/sign-in/servicekeys/service-key.reasons';
import { SSH_KEY_FAULTS } from '@app/sign-in/sshkeys/ssh-key.reasons';
import { WEBHOOK_FAULTS } from '@app/feeds/webhooks/webhook.reasons';
import { DOCUMENT_REASONS } from '@app/records/documents/document.reasons';
import { VARIANT_REASONS } from '@app/edge/usage/variant.reasons';
import { IDEMPOTENCY_REASONS } from '@app/edge/idempotency/idempotency.reasons';
import {
  type AnswerReasons,
  COMMON_FAULTS,
  COMMON_REASONS,
  type FaultReasons,
} from '@app/platform/errors/reasons';

/** By the word. */
const inOrder = <Table extends object>(table: Table): Table =>
  Object.fromEntries(Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1))) as Table;

/** Every reason of a response. A table that is missing here does not compile. */
export const ANSWER_REASONS: AnswerReasons = inOrder({
  ...COMMON_REASONS,
  ...VARIANT_REASONS,
  ...ACCESS_REASONS,
  ...ORGANISATION_REASONS,
  ...USER_REASONS,
  ...INVITATION_REASONS,
  ...AUTH_REASONS,
  ...RECOVERY_REASONS,
  ...API_KEY_REASONS,
  ...SERVICE_KEY_REASONS,
  ...DOCUMENT_REASONS,
  ...IDEMPOTENCY_REASONS,
});

/** Every reason of a field. */
export const FAULT_REASONS: FaultReasons = inOrder({
  ...COMMON_FAULTS,
  ...ACCESS_FAULTS,
  ...PASSWORD_FAULTS,
  ...ORGANISATION_FAULTS,
  ...USER_FAULTS,
  ...CONTACT_FAULTS,
  ...INVITATION_FAULTS,
  ...PASSKEY_FAULTS,
  ...SERVICE_KEY_FAULTS,
  ...SSH_KEY_FAULTS,
  ...WEBHOOK_FAULTS,
});
