import type { MailLanguage } from '@app/mail/mail.types';
import { dateIn, quoted } from '@app/mail/mail-values';
import { type Sender, supportText } from '@app/mail/sender';
import type { Phrase } from './notification-kind';
import type { DescribedKind } from './notification-kinds';

/** The text of a mail about a notification, without the name of the organisation. */
export interface NotificationText {
  /** Subject in one line. */
  readonly subject: string;
  readonly text: string;
}

/** The parts of an event that its text uses. */
export interface DescribedEvent {
  readonly kind: DescribedKind;
  /** Words for params that the kind has none for. */
  readonly otherParams?: Readonly<Record<string, Phrase>>;
  readonly entityName: string;
  /** A program or a manager wrote it: it keeps its words. */
  readonly isWritten: boolean;
  readonly subject: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  /** Full name of the user who caused the event. */
  readonly actor: string | null;
}

const LANGUAGES: readonly MailLanguage[] = ['nl', 'en', 'fr'];

const DONE_BY: Phrase = ['Gedaan door', 'Done by', 'Fait par'];

const SALUTATION: Phrase = ['Beste klant,', 'Dear customer,', 'Bonjour,'];
const ASK: Phrase = [
  'Hebt u vragen? Neem contact op met',
  'Questions? Please contact',
  'Des questions ? Contactez',
];
const PROVIDER: Phrase = ['uw leverancier', 'your provider', 'votre fournisseur'];

/** A time among the params, as `2027-01-31 23:59 UTC`. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC$/;

/** The number of names that a list leaves out. */
const FURTHER = /^\+ \d+$/;

/** Maximum length of a mail's subject. */
const MAX_SUBJECT = 255;

/**
 * Describes the event in the language of the reader. The subject of the service's own news names
 * what happened and never holds a text that a user chose; in the text such words stand in quotation
 * marks (rule notifications 55, rule notifications 56).
 */
export function notificationText(
  event: DescribedEvent,
  language: MailLanguage,
  sender: Sender,
): NotificationText {
  if (event.isWritten) return writtenText(event, language, sender);
  const { heading, advice, wordOf } = phrasesOf(event, language);
  const name = event.entityName === '' ? '' : ` (${quoted(language, event.entityName)})`;
  const lines = Object.entries(event.params).map(
    ([param, value]) => `${wordOf(param)}: ${quotedValue(value, language, sender.timeZone)}`,
  );
  const by = doneBy(language, event.actor === null ? null : quoted(language, event.actor));
  return {
    subject: heading,
    text: saluted(event, language, sender, [`${heading}${name}.${by}`, ...lines, ...advice].join('\n')),
  };
}

/**
 * What a program or a manager wrote keeps its words. The params `subject` and `message`, if they are texts,
 * replace the heading and the text; every other param becomes a line of the text (rule notifications 58).
 */
function writtenText(event: DescribedEvent, language: MailLanguage, sender: Sender): NotificationText {
  const { subject: subjectParam, message, ...others } = event.params;
  const { heading, isKnown, advice, wordOf } = phrasesOf(event, language);
  const named = event.entityName === '' ? heading : `${heading} (${event.entityName})`;
  const headline = event.subject ?? textOf(subjectParam) ?? named;
  const valueOf = (value: unknown) =>
    isKnown ? inZone(listedOf(value), language, sender.timeZone) : lineOf(value);
  const lines = Object.entries(others).map(([param, value]) => `${wordOf(param)}: ${valueOf(value)}`);
  const first = `${textOf(message) ?? `${headline}.`}${doneBy(language, event.actor)}`;
  const text = [first, ...lines, ...advice].join('\n');
  return {
    subject: [...headline].slice(0, MAX_SUBJECT).join(''),
    text: textOf(message) === undefined ? saluted(event, language, sender, text) : text,
  };
}

interface Phrases {
  readonly heading: string;
  /** The service itself records such events. Those of other areas keep their own names. */
  readonly isKnown: boolean;
  readonly advice: readonly string[];
  readonly wordOf: (param: string) => string;
}

function phrasesOf({ kind, otherParams }: DescribedEvent, language: MailLanguage): Phrases {
  const translated = LANGUAGES.indexOf(language);
  const known = kind.heading?.[translated];
  const advice = kind.advice?.[translated];
  const words = { ...otherParams, ...kind.params };
  return {
    heading: known ?? `${kind.group}: ${kind.type}`,
    isKnown: known !== undefined,
    advice: advice === undefined ? [] : [advice],
    wordOf: (param) => (known === undefined ? param : (words[param]?.[translated] ?? param)),
  };
}

const doneBy = (language: MailLanguage, actor: string | null): string =>
  actor === null ? '' : ` ${DONE_BY[LANGUAGES.indexOf(language)]} ${actor}.`;

function saluted({ kind }: DescribedEvent, language: MailLanguage, sender: Sender, text: string): string {
  if (kind.isLetter !== true) return text;
  const translated = LANGUAGES.indexOf(language);
  return [SALUTATION[translated], text, whomToAsk(translated, sender)].join('\n\n');
}

/**
 * The text for an address that nobody has proved: what happened, without a word that a user
 * chose (rule recovery 63).
 */
export function bareNewsText({ heading, group }: DescribedKind, language: MailLanguage): NotificationText {
  const subject = heading?.[LANGUAGES.indexOf(language)] ?? group;
  return { subject, text: `${subject}.` };
}

function whomToAsk(translated: number, { companyName, supportUrl }: Sender): string {
  const where = supportUrl === undefined ? '.' : `: ${supportText(supportUrl)}`;
  return `${ASK[translated]} ${companyName ?? PROVIDER[translated]}${where}`;
}

/**
 * A value of the service's own news: numbers and times as they are, other texts quoted, each one of a list.
 */
function quotedValue(value: unknown, language: MailLanguage, timeZone: string): string {
  if (Array.isArray(value)) return value.map((one) => quotedValue(one, language, timeZone)).join(', ');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = lineOf(value);
  if (FURTHER.test(text)) return text;
  return INSTANT.test(text) ? inZone(text, language, timeZone) : quoted(language, text);
}

/** The time in a param, in words. */
const inZone = (text: string, language: MailLanguage, timeZone: string): string =>
  INSTANT.test(text) ? dateIn(language, new Date(text.replace(INSTANT, '$1T$2Z')), timeZone) : text;

/** The value, if it is a text with visible characters. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A list of texts as one line. */
const listedOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(lineOf).join(', ') : lineOf(value);

const lineOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
