import type { RegistrationForm } from '@app/invitations/invitation.types';
import { fullNameOf } from '@app/platform/dto/text-rules';
import { html } from '../html';
import type { PageTexts } from '../page-texts';
import { factList, layout, type Place } from './layout';
import { type FieldFaults, passwordForm } from './password-form';

/** The page of an open invitation. */
export function invitationForm(
  place: Place,
  texts: PageTexts,
  { invitation, passwordRules }: RegistrationForm,
  faults: FieldFaults,
): string {
  const { organisationName, email } = invitation;
  const content = html`<p>${texts.invitation.intro(organisationName)}</p>
    ${factList([
      [texts.labels.name, fullNameOf(invitation)],
      [texts.labels.organisation, organisationName],
    ])}
    ${passwordForm({
      texts,
      username: email,
      passwordLabel: texts.labels.password,
      rules: texts.passwordRules(passwordRules),
      submit: texts.invitation.submit,
      faults,
    })}`;
  return layout(
    place,
    texts.invitation.title(organisationName),
    content,
    Object.keys(faults).length > 0 ? texts.errorPrefix : undefined,
  );
}
