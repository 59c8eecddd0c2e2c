import type { MailLanguage } from '@app/mail/mail.types';
import { dateIn, quoted } from '@app/mail/mail-values';
import { type Sender, supportText } from '@app/mail/sender';
import type { NotificationGroup } from './notification.types';
import { HEADINGS, type Phrase } from './notification-headings';
import { WORDS } from './notification-words';

/** The text of a mail about a notification, without the name of the organisation. */
export interface NotificationText {
  /** Subject in one line. */
  readonly subject: string;
  readonly text: string;
}

/** The parts of an event that its text uses. */
export interface DescribedEvent {
  readonly group: NotificationGroup;
  readonly type: string;
  readonly entityClass: string;
  readonly entityName: string;
  /** A program or a manager wrote it: it keeps its words. */
  readonly isWritten: boolean;
  readonly subject: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  /** Full name of the user who caused the event. */
  readonly actor: string | null;
}

const LANGUAGES: readonly MailLanguage[] = ['nl', 'en', 'fr'];

const RECEIVED_GRANTS: Phrase = [
  'Het klantenpaneel toont welke organisaties de uwe toegang geven.',
  'The control panel lists the organisations that give yours access.',
  'Le panneau de contrôle montre quelles organisations donnent accès à la vôtre.',
];

const NOT_YOU: Phrase = [
  'Was dit niet de bedoeling? De gebruiker kan het drie dagen lang ongedaan maken met de link in de eigen mail, een beheerder in het klantenpaneel.',
  'Was this not intended? The user can undo it for three days with the link of the own mail, a manager in the control panel.',
  'Ce n’était pas voulu ? L’utilisateur peut l’annuler pendant trois jours par le lien de son propre e-mail, un gestionnaire dans le panneau de contrôle.',
];

/** A line of advice after the text. */
const ADVICE: Readonly<Record<string, Phrase>> = {
  'Passkey.removed': [
    'Aanmeldingen met deze passkey blijven geldig. De gebruiker of een beheerder beëindigt ze in het klantenpaneel, in de lijst van aanmeldingen.',
    'Logins that were made with this passkey stay valid. The user or a manager ends them in the control panel, in the list of logins.',
    'Les connexions établies avec cette clé restent valables. L’utilisateur ou un gestionnaire y met fin dans le panneau de contrôle, dans la liste des connexions.',
  ],
  'Grant.received_begun': RECEIVED_GRANTS,
  'Grant.received_changed': RECEIVED_GRANTS,
  'Grant.received_ended': RECEIVED_GRANTS,
  'Grant.received_ends_in_7_days': RECEIVED_GRANTS,
  'User.2fa_enabled': NOT_YOU,
  'Passkey.new': NOT_YOU,
  'Passkey.removal_begun': NOT_YOU,
  'User.codes_guessed': [
    'Was dit niet de gebruiker? Kies dan meteen een nieuw wachtwoord.',
    'Was it not the user? Then choose a new password at once.',
    'Ce n’était pas l’utilisateur ? Choisissez alors immédiatement un nouveau mot de passe.',
  ],
};

const DONE_BY: Phrase = ['Gedaan door', 'Done by', 'Fait par'];

/** Events that suspend people or lift a suspension. Their mails have a greeting and name a contact person. */
const SALUTED = new Set(['Organisation.disabled', 'Organisation.enabled']);
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

function phrasesOf(event: DescribedEvent, language: MailLanguage): Phrases {
  const translated = LANGUAGES.indexOf(language);
  const name = nameOf(event);
  const known = HEADINGS[name]?.[translated];
  const advice = ADVICE[name]?.[translated];
  return {
    heading: known ?? `${event.group}: ${event.type}`,
    isKnown: known !== undefined,
    advice: advice === undefined ? [] : [advice],
    wordOf: (param) => (known === undefined ? param : (WORDS[param]?.[translated] ?? param)),
  };
}

const nameOf = ({ entityClass, type }: DescribedEvent): string => `${entityClass}.${type}`;

const doneBy = (language: MailLanguage, actor: string | null): string =>
  actor === null ? '' : ` ${DONE_BY[LANGUAGES.indexOf(language)]} ${actor}.`;

function saluted(event: DescribedEvent, language: MailLanguage, sender: Sender, text: string): string {
  if (!SALUTED.has(nameOf(event))) return text;
  const translated = LANGUAGES.indexOf(language);
  return [SALUTATION[translated], text, whomToAsk(translated, sender)].join('\n\n');
}

/**
 * The text for an address that nobody has proved: what happened, without a word that a user
 * chose (rule recovery 63).
 */
export function bareNewsText(
  { group, type, entityClass }: Pick<DescribedEvent, 'group' | 'type' | 'entityClass'>,
  language: MailLanguage,
): NotificationText {
  const translated = LANGUAGES.indexOf(language);
  const heading = HEADINGS[`${entityClass}.${type}`]?.[translated] ?? `${group}`;
  return { subject: heading, text: `${heading}.` };
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
