import { type Html, html } from '../html';
import type { PageTexts } from '../texts/en';

/** The fields of forms, with their names in the API; `repeated` exists only on pages. */
export type FieldName = 'username' | 'email' | 'password' | 'repeated';

/** The error texts by field. */
export type FieldFaults = Readonly<Partial<Record<FieldName, readonly string[]>>>;

/** What a field needs to show its errors. */
export interface FaultyForm {
  readonly texts: PageTexts;
  readonly faults: FieldFaults;
}

const errorId = (name: FieldName): string => `${name}-error`;

/** The errors of a field, as one text for screen readers. */
export const errorOf = (name: FieldName, { faults, texts }: FaultyForm): Html | undefined => {
  const found = faults[name] ?? [];
  if (found.length === 0) return undefined;
  return html`<div class="error" id="${errorId(name)}">
    <span class="unseen">${texts.errorPrefix}</span>${found.map((text) => html`<p>${text}</p>`)}
  </div>`;
};

/** The attributes that connect a field with the texts about it. */
export function attributesOf(name: FieldName, { faults }: FaultyForm, ...described: readonly string[]): Html {
  const isFaulty = (faults[name] ?? []).length > 0;
  const ids = isFaulty ? [...described, errorId(name)] : described;
  return html`${isFaulty ? html` aria-invalid="true"` : undefined}${
    ids.length > 0 ? html` aria-describedby="${ids.join(' ')}"` : undefined
  }`;
}

/**
 * One line with the number of errors. It has the focus when the page opens, and links
 * to the first faulty field.
 */
export function faultSummary({ faults, texts }: FaultyForm): Html | undefined {
  const faulty = (['username', 'email', 'password', 'repeated'] as const).filter(
    (name) => (faults[name] ?? []).length > 0,
  );
  const [first] = faulty;
  if (first === undefined) return undefined;
  const count = faulty.reduce((sum, name) => sum + (faults[name] ?? []).length, 0);
  return html`<p class="summary" role="alert" tabindex="-1" autofocus>
    <a href="#${first}">${texts.checkForm(count)}</a>
  </p> `;
}

/** Prefix of the page title after an error. */
export const prefixOf = ({ faults, texts }: FaultyForm): string =>
  Object.keys(faults).length > 0 ? texts.errorPrefix : '';
