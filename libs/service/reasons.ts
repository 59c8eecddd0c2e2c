import { IDEMPOTENCY_REASONS } from '@app/edge/idempotency/idempotency.reasons';
import { VARIANT_REASONS } from '@app/edge/usage/variant.reasons';
import { WEBHOOK_FIELD_ERRORS } from '@app/feeds/webhooks/webhook.reasons';
import { BRAND_FIELD_ERRORS } from '@app/people/brands/brand.reasons';
import { CONTACT_FIELD_ERRORS } from '@app/people/contacts/contact.reasons';
import { INVITATION_FIELD_ERRORS, INVITATION_REASONS } from '@app/people/invitations/invitation.reasons';
import {
  ORGANISATION_FIELD_ERRORS,
  ORGANISATION_REASONS,
} from '@app/people/organisations/organisation.reasons';
import { USER_FIELD_ERRORS, USER_REASONS } from '@app/people/users/user.reasons';
import {
  type AnswerReasons,
  COMMON_FIELD_ERRORS,
  COMMON_REASONS,
  type FieldErrorReasons,
} from '@app/platform/errors/reasons';
import { DOCUMENT_REASONS } from '@app/records/documents/document.reasons';
import { ACCESS_FIELD_ERRORS, ACCESS_REASONS } from '@app/security/access/access.reasons';
import { PASSWORD_FIELD_ERRORS } from '@app/security/passwords/password.reasons';
import { API_KEY_REASONS } from '@app/sign-in/apikeys/api-key.reasons';
import { AUTH_REASONS } from '@app/sign-in/auth/auth.reasons';
import { LOGIN_LINK_REASONS } from '@app/sign-in/login-links/login-link.reasons';
import { PASSKEY_FIELD_ERRORS } from '@app/sign-in/passkeys/passkey.reasons';
import { RECOVERY_REASONS } from '@app/sign-in/recovery/recovery.reasons';
import { SERVICE_KEY_FIELD_ERRORS, SERVICE_KEY_REASONS } from '@app/sign-in/servicekeys/service-key.reasons';
import { SSH_KEY_FIELD_ERRORS } from '@app/sign-in/sshkeys/ssh-key.reasons';
import { USERNAME_LINK_REASONS } from '@app/sign-in/username-links/username-links.reasons';

/** Sorts by the word. */
const inOrder = <Table extends object>(table: Table): Table =>
  Object.fromEntries(Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1))) as Table;

/** Every reason of a response. The compiler reports a missing table. */
export const ANSWER_REASONS: AnswerReasons = inOrder({
  ...COMMON_REASONS,
  ...VARIANT_REASONS,
  ...ACCESS_REASONS,
  ...ORGANISATION_REASONS,
  ...USER_REASONS,
  ...INVITATION_REASONS,
  ...AUTH_REASONS,
  ...USERNAME_LINK_REASONS,
  ...LOGIN_LINK_REASONS,
  ...RECOVERY_REASONS,
  ...API_KEY_REASONS,
  ...SERVICE_KEY_REASONS,
  ...DOCUMENT_REASONS,
  ...IDEMPOTENCY_REASONS,
});

export const FIELD_ERROR_REASONS: FieldErrorReasons = inOrder({
  ...COMMON_FIELD_ERRORS,
  ...ACCESS_FIELD_ERRORS,
  ...PASSWORD_FIELD_ERRORS,
  ...ORGANISATION_FIELD_ERRORS,
  ...USER_FIELD_ERRORS,
  ...BRAND_FIELD_ERRORS,
  ...CONTACT_FIELD_ERRORS,
  ...INVITATION_FIELD_ERRORS,
  ...PASSKEY_FIELD_ERRORS,
  ...SERVICE_KEY_FIELD_ERRORS,
  ...SSH_KEY_FIELD_ERRORS,
  ...WEBHOOK_FIELD_ERRORS,
});
