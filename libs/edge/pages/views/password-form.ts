import { inOwnLetters } from '@app/formats/email-domains';
import { type Html, html } from '../html';
import { attributesOf, errorOf, faultSummary, type FaultyForm, type FieldFaults, prefixOf } from './fields';
import { layout, type PageContext } from './layout';

/** Content of a form for a new password. */
export interface PasswordForm {
  readonly intro: Html;
  /** Shown, but not sent: the link identifies the user. Password managers store it with the password. */
  readonly username: string;
  readonly passwordLabel: string;
  /** One line for each rule. */
  readonly rules: readonly string[];
  /** The same for a password manager that makes a password. */
  readonly generatedRules: string;
  readonly submit: string;
  readonly faults: FieldFaults;
}

/**
 * The form holds the stored address, with which a password manager logs in. Its owner
 * knows it by its own letters.
 */
function ownLettersOf(username: string): Html | undefined {
  const letters = inOwnLetters(username);
  return letters === undefined ? undefined : html`<p class="hint" id="letters">${letters}</p>`;
}

/** Only the server validates the input, so that every error text has the language of the page. */
function formOf(form: PasswordForm & FaultyForm): Html {
  const letters = ownLettersOf(form.username);
  const describedBy = letters === undefined ? [] : ['letters'];
  return html`<form method="post" novalidate>
    <div class="field">
      <label for="email">${form.texts.labels.username}</label>
      ${letters}${errorOf('email', form)}
      <input
        id="email"
        type="text"
        value="${form.username}"
        autocomplete="username"
        readonly${attributesOf('email', form, ...describedBy)}
      />
    </div>
    <div class="field">
      <label for="password">${form.passwordLabel}</label>
      <ul class="hint" id="rules">
        ${form.rules.map((rule) => html`<li>${rule}</li>`)}
      </ul>
      ${errorOf('password', form)}
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        passwordrules="${form.generatedRules}"
        required${attributesOf('password', form, 'rules')}
      />
    </div>
    <div class="field">
      <label for="repeated">${form.texts.labels.repeated}</label>
      ${errorOf('repeated', form)}
      <input
        id="repeated"
        name="repeated"
        type="password"
        autocomplete="new-password"
        passwordrules="${form.generatedRules}"
        required${attributesOf('repeated', form)}
      />
    </div>
    <button type="submit">${form.submit}</button>
  </form>`;
}

/** A page that asks for a new password. */
export function passwordPage(context: PageContext, title: string, content: PasswordForm): string {
  const form = { ...content, texts: context.texts };
  return layout(context, title, html`${faultSummary(form)} ${form.intro} ${formOf(form)}`, prefixOf(form));
}
