import { type Html, html } from '../html';
import type { PageTexts } from '../page-texts';
import { attributesOf, errorOf, type FieldFaults, prefixOf, faultSummary } from './fields';
import { layout, type Place } from './layout';

/** Content of a form for a new password. */
export interface PasswordForm {
  readonly texts: PageTexts;
  readonly intro: Html;
  /** Shown, not sent: the link says whose password it is. Password managers store it with the password. */
  readonly username: string;
  readonly passwordLabel: string;
  /** One line for each rule. */
  readonly rules: readonly string[];
  readonly submit: string;
  readonly faults: FieldFaults;
}

/** Only the server judges what was entered, so that every fault has its text in the language of the page. */
const formOf = (form: PasswordForm): Html =>
  html`<form method="post" novalidate>
    <div class="field">
      <label for="email">${form.texts.labels.username}</label>
      ${errorOf('email', form)}
      <input
        id="email"
        type="text"
        value="${form.username}"
        autocomplete="username"
        readonly${attributesOf('email', form)}
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
        required${attributesOf('repeated', form)}
      />
    </div>
    <button type="submit">${form.submit}</button>
  </form>`;

/** A page that asks for a new password. */
export const passwordPage = (place: Place, title: string, form: PasswordForm): string =>
  layout(place, title, html`${faultSummary(form)} ${form.intro} ${formOf(form)}`, prefixOf(form));
