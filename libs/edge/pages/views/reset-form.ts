import type { OpenLink } from '@app/sign-in/recovery/recovery.service';
import type { PasswordRules } from '@app/security/passwords/password-rules';
import { html } from '../html';
import type { Message, PageTexts } from '../page-texts';
import type { FieldFaults } from './fields';
import type { PageContext } from './layout';
import { passwordPage } from './password-form';

/** The page of an open link that sets a password. */
export function resetForm(
  context: PageContext,
  texts: PageTexts,
  { username, restoresName }: OpenLink,
  rules: PasswordRules,
  faults: FieldFaults,
): string {
  const { title, note, submit } = restoresName ? texts.restoration : texts.password;
  const intro = restoresName ? texts.restoration.intro(username) : texts.password.intro;
  return passwordPage(context, title, {
    texts,
    intro: html`<p>${intro}</p>
      <p class="note">${note}</p>`,
    username,
    passwordLabel: texts.labels.newPassword,
    rules: texts.passwordRules(rules),
    submit,
    faults,
  });
}

/** The text of the page after the use of the link. */
export const resetDone = (texts: PageTexts, { username, restoresName }: OpenLink): Message =>
  (restoresName ? texts.restoration : texts.password).done(username);
