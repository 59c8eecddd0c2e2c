import { CALLS_TO_ACTION } from './calls-to-action';
import type { CallToAction, CallToActionTarget, MailLanguage } from './mail.types';

const ON: Readonly<Record<MailLanguage, string>> = { nl: 'op', en: 'on', fr: 'le' };

/** A time within a sentence, with a space before it; empty for none. */
export const on = (language: MailLanguage, time: string): string =>
  time === '' ? '' : ` ${ON[language]} ${time}`;

/** When it happened, as far as the mail says it. */
export function whenOf(language: MailLanguage, mail: { readonly when?: string }): string {
  // Rendering throws where a value is read that a mail lacks.
  const time = 'when' in mail ? mail.when : undefined;
  return on(language, time ?? '');
}

const WITH: Readonly<Record<MailLanguage, string>> = { nl: 'bij', en: 'with', fr: 'chez' };

/** With whom an account is, with a space before it; empty if the settings do not name the operator. */
export const withCompany = (language: MailLanguage, { company }: { readonly company: string }): string =>
  company === '' ? '' : ` ${WITH[language]} ${company}`;

/** Whether the address may be no contact any more. */
export const isRemoved = (mail: { readonly contact?: 'removed' }): boolean =>
  // Rendering throws where a value is read that a mail lacks.
  'contact' in mail && mail.contact === 'removed';

const DURATIONS: Readonly<
  Record<MailLanguage, Readonly<Record<'hour' | 'minute', readonly [one: string, many: string]>>>
> = {
  nl: { hour: ['uur', 'uur'], minute: ['minuut', 'minuten'] },
  en: { hour: ['hour', 'hours'], minute: ['minute', 'minutes'] },
  fr: { hour: ['heure', 'heures'], minute: ['minute', 'minutes'] },
};

/** `45 minutes`, or whole hours: `1 hour`. */
export function lasting(language: MailLanguage, minutes: string): string {
  const hours = Number(minutes) / 60;
  const [count, unit] = Number.isInteger(hours)
    ? ([String(hours), 'hour'] as const)
    : ([minutes, 'minute'] as const);
  const [one, many] = DURATIONS[language][unit];
  return `${count} ${count === '1' ? one : many}`;
}

/** A line for each fact; none for one that nobody knows. */
export const factLines = (facts: readonly (readonly [word: string, value: string])[]): string =>
  facts
    .filter(([, value]) => value !== '')
    .map(([word, value]) => `${word}${value}`)
    .join('\n');

/** The button under the advice of a notification, if it has one. */
export function callToActionOf(
  language: MailLanguage,
  mail: { readonly callToAction?: CallToActionTarget },
): CallToAction[] {
  // Rendering throws where a value is read that a mail lacks.
  const callToAction = 'callToAction' in mail ? mail.callToAction : undefined;
  return callToAction === undefined ? [] : [CALLS_TO_ACTION[language][callToAction]];
}
