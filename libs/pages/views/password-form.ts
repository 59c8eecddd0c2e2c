import { type Html, html } from '../html';
import type { PageTexts } from '../page-texts';
import { layout, type Place } from './layout';

/** The texts of what is wrong, by field. */
export type FieldFaults = Readonly<Partial<Record<FieldName, readonly string[]>>>;

/** The fields of the form, by the names of the interface; `repeated` belongs to the page alone. */
export type FieldName = 'email' | 'password' | 'repeated';

/** What a page asks for a new password. */
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

const errorId = (name: FieldName): string => `${name}-error`;

/** The faults of a field, as one text for screen readers. */
const errorOf = (name: FieldName, { faults, texts }: PasswordForm): Html | undefined => {
  const found = faults[name] ?? [];
  if (found.length === 0) return undefined;
  return html`<div class="error" id="${errorId(name)}">
    <span class="unseen">${texts.errorPrefix}</span>${found.map((text) => html`<p>${text}</p>`)}
  </div>`;
};

/** The attributes that lead from a field to the texts about it. */
function attributesOf(name: FieldName, { faults }: PasswordForm, ...described: readonly string[]): Html {
  const isFaulty = (faults[name] ?? []).length > 0;
  const ids = isFaulty ? [...described, errorId(name)] : described;
  return html`${isFaulty ? html` aria-invalid="true"` : undefined}${
    ids.length > 0 ? html` aria-describedby="${ids.join(' ')}"` : undefined
  }`;
}

/** The list of all faults, which has the focus when the page opens; each leads to its field. */
function summaryOf({ faults, texts }: PasswordForm): Html | undefined {
  const found = (['email', 'password', 'repeated'] as const).flatMap((name) =>
    (faults[name] ?? []).map((text) => html`<li><a href="#${name}">${text}</a></li> `),
  );
  if (found.length === 0) return undefined;
  return html`<div class="summary" role="alert" aria-labelledby="summary" tabindex="-1" autofocus>
    <h2 id="summary">${texts.checkForm}</h2>
    <ul>
      ${found}
    </ul>
  </div> `;
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
export function passwordPage(place: Place, title: string, form: PasswordForm): string {
  const prefix = Object.keys(form.faults).length > 0 ? form.texts.errorPrefix : '';
  return layout(place, title, html`${summaryOf(form)} ${form.intro} ${formOf(form)}`, prefix);
}
