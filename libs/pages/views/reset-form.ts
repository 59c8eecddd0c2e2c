import type { OpenLink } from '@app/recovery/recovery.service';
import type { PasswordRules } from '@app/security/passwords/password-rules';
import { html } from '../html';
import type { Message, PageTexts } from '../page-texts';
import { layout, type Place } from './layout';
import { type FieldFaults, passwordForm } from './password-form';

/** The page of an open link that sets a password. */
export function resetForm(
  place: Place,
  texts: PageTexts,
  { username, restoresName }: OpenLink,
  rules: PasswordRules,
  faults: FieldFaults,
): string {
  const { title, note, submit } = restoresName ? texts.restoration : texts.password;
  const intro = restoresName ? texts.restoration.intro(username) : texts.password.intro;
  const content = html`<p>${intro}</p>
    <p class="note">${note}</p>
    ${passwordForm({
      texts,
      username,
      passwordLabel: texts.labels.newPassword,
      rules: texts.passwordRules(rules),
      submit,
      faults,
    })}`;
  return layout(place, title, content, Object.keys(faults).length > 0 ? texts.errorPrefix : undefined);
}

export const resetDone = (texts: PageTexts, { username, restoresName }: OpenLink): Message =>
  (restoresName ? texts.restoration : texts.password).done(username);
