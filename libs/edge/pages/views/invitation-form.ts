import type { RegistrationForm } from '@app/people/invitations/invitation.types';
import { fullNameOf } from '@app/people/users/user-names';
import { html } from '../html';
import type { PageTexts } from '../page-texts';
import type { FieldFaults } from './fields';
import { factList, type PageContext } from './layout';
import { passwordPage } from './password-form';

/** The page of an open invitation. */
export function invitationForm(
  context: PageContext,
  texts: PageTexts,
  { invitation, passwordRules }: RegistrationForm,
  faults: FieldFaults,
): string {
  const { title, intro, submit } = texts.invitation;
  const { organisationName } = invitation;
  return passwordPage(context, title(organisationName), {
    texts,
    intro: html`<p>${intro(organisationName)}</p>
      ${factList([
        [texts.labels.name, fullNameOf(invitation)],
        [texts.labels.inviter, invitation.inviterName],
      ])}`,
    username: invitation.email,
    passwordLabel: texts.labels.password,
    rules: texts.passwordRules(passwordRules),
    submit,
    faults,
  });
}
