import { greeting } from '@app/mail/greeting';
import type { CallToActionTarget, MailLanguage } from '@app/mail/mail.types';
import { on } from '@app/mail/mail-paragraphs';
import { dateIn, NOT_IN_A_LINE, quoted, quotedInShort, unlinked } from '@app/mail/mail-values';
import { type Sender, supportText } from '@app/mail/sender';
import type { Advice, Phrase } from './notification-kind';
import type { DescribedKind } from './notification-kinds';
import { BY_USER_ITSELF, COLON, doneBy, numbered, ofUser, phraseIn, writtenBy } from './notification-phrases';
import { ASK_MANAGER } from './shared-words';

/** The text of a mail about a notification, without the name of the organisation. */
export interface NotificationText {
  /** Subject in one line. */
  readonly subject: string;
  /** Paragraphs, with an empty line between them. */
  readonly text: string;
  /** Where the advice of the text is followed. */
  readonly callToAction?: CallToActionTarget;
}

/** The parts of an event that its text uses. */
export interface DescribedEvent {
  readonly kind: DescribedKind;
  /** Words for params that the kind has none for. */
  readonly otherParams?: Readonly<Record<string, Phrase>>;
  readonly entityId: number;
  readonly entityName: string;
  /** A program or a manager wrote it: it keeps its words. */
  readonly isWritten: boolean;
  readonly subject: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  /** Full name of the user who caused the event. */
  readonly actor: string | null;
  /** The user whom it is about caused it, or nobody did. */
  readonly isOwnAct: boolean;
  /** Full name of the user whom it is about. */
  readonly owner: string | null;
  readonly at: Date;
}

/** Whom the mail addresses. */
export interface Addressee {
  /** The user whom the event is about, at the mailbox of its account. */
  readonly isUser: boolean;
  /** The user whose address it is; empty where nobody is greeted by name. */
  readonly name: string;
}

/** Whether its mails name the operator. */
export const namesOperator = ({ advice, toUser }: DescribedKind): boolean =>
  [advice, toUser?.advice].some((one) => one?.words.some((words) => words.includes('{operator}')));

/** Whom `{operator}` in advice names. */
export type Operator = Pick<Sender, 'companyName' | 'supportUrl'>;

const ASK: Phrase = [
  'Hebt u vragen? Neem dan contact op met',
  'If you have questions, please contact',
  'Des questions ? Contactez',
];
const PROVIDER: Phrase = ['uw leverancier', 'your provider', 'votre fournisseur'];
/** The operator, where no setting names it. */
const SUPPORT: Phrase = ['de klantenservice', 'support', 'le service d’assistance'];

/** What is said of an account by its address alone. */
const BARE: Phrase = [
  'Dit is{at} gebeurd met het account dat dit adres als gebruikersnaam heeft: {heading}.',
  'This happened{at} to the account that has this address as its user name: {heading}.',
  'Voici ce qui s’est passé{at} sur le compte dont cette adresse est le nom d’utilisateur : {heading}.',
];

/** The same of what nobody did, because it falls due. */
const BARE_DUE: Phrase = [
  'Dit bericht van {at} gaat over het account dat dit adres als gebruikersnaam heeft: {heading}.',
  'This message of {at} is about the account that has this address as its user name: {heading}.',
  'Ce message du {at} concerne le compte dont cette adresse est le nom d’utilisateur : {heading}.',
];

/** A time among the params, as `2027-01-31 23:59 UTC`. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC$/;

/** Maximum length of a mail's subject. */
const MAX_SUBJECT = 255;

/** Params by which a record is known whose name the reader may not know, or that has none any more. */
const NUMBERS = ['organisation', 'user'] as const;

/**
 * Describes the event to a reader, in its language: a greeting, what happened, its params and advice. The
 * subject of the service's own notifications names what happened and holds no text that a user chose; in the
 * text such words stand in quotation marks (rule notifications 40, rule notifications 41, rule notifications
 * 43).
 */
export function notificationText(
  event: DescribedEvent,
  reader: Addressee,
  language: MailLanguage,
  sender: Sender,
  operator: Operator,
): NotificationText {
  const { kind } = event;
  if (event.isWritten || kind.sentence === undefined) return writtenText(event, reader, language, sender);
  const { heading, wordOf } = phrasesOf(event, language);
  const { sentence } = (reader.isUser ? kind.toUser : undefined) ?? { sentence: kind.sentence };
  const main = filled(phraseIn(language, sentence), event, language, sender);
  const lines = Object.entries(event.params)
    .filter(([param]) => !main.said.has(param))
    .map(
      ([param, value]) =>
        `${wordOf(param)}${COLON[language]}${quotedValue(value, language, sender.timeZone)}`,
    );
  const advice = adviceOf(event, reader);
  const paragraphs = [
    greeting(language, plainName(reader.name)),
    main.text,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(advice === undefined
      ? []
      : [phraseIn(language, advice.words).replace('{operator}', () => operatorIn(language, operator))]),
    ...(kind.isLetter === true ? [whomToAsk(language, sender)] : []),
  ];
  const name = kind.isNamedInSubject === true ? ` (${event.entityName})` : '';
  return {
    subject: shortened(`${heading}${name}`),
    text: paragraphs.join('\n\n'),
    ...(advice?.callToAction !== undefined && { callToAction: advice.callToAction }),
  };
}

const shortened = (subject: string): string => [...subject].slice(0, MAX_SUBJECT).join('');

/** A name that greets is not quoted (rule pages 38), and no link. */
const plainName = (name: string): string => unlinked(name.replaceAll(NOT_IN_A_LINE, ' ').trim());

/** A user of whose account somebody else changed something asks a manager. */
function adviceOf({ kind, isOwnAct }: DescribedEvent, { isUser }: Addressee): Advice | undefined {
  if (!isUser || kind.toUser === undefined) return kind.advice;
  return isOwnAct ? kind.toUser.advice : ASK_MANAGER;
}

/** The sentence with its facts, and the params that it says. Throws for a param that is missing. */
function filled(
  sentence: string,
  event: DescribedEvent,
  language: MailLanguage,
  { timeZone }: Sender,
): { readonly text: string; readonly said: ReadonlySet<string> } {
  const { params } = event;
  const said = new Set<string>();
  const at = on(language, dateIn(language, event.at, timeZone));
  const number = NUMBERS.find((param) => typeof params[param] === 'number');
  const isNamed = event.entityName !== '';
  if (!isNamed && number !== undefined && sentence.includes('{record}')) said.add(number);
  const facts: Readonly<Record<string, string>> = {
    record: isNamed
      ? quoted(language, event.entityName)
      : numbered(language, number === undefined ? event.entityId : Number(params[number])),
    whose: event.owner === null ? '' : ` ${ofUser(language, quoted(language, event.owner))}`,
    done: `${byWhom(sentence, event, language)}${at}`,
    at,
  };
  const text = sentence.replaceAll(/\{(\w+)\}/g, (_place, name: string) => {
    const fact = facts[name];
    if (fact !== undefined) return fact;
    if (params[name] === undefined) throw new Error(`The notification lacks its ${name}`);
    said.add(name);
    return quotedValue(params[name], language, timeZone);
  });
  return { text, said };
}

/** Who did it; not by name if the sentence has named that user already. */
function byWhom(
  sentence: string,
  { actor, isOwnAct, entityName, owner }: DescribedEvent,
  language: MailLanguage,
): string {
  if (actor === null) return '';
  const isNamed = entityName === actor || (owner !== null && sentence.includes('{whose}'));
  return ` ${isOwnAct && isNamed ? BY_USER_ITSELF[language] : doneBy(language, quoted(language, actor))}`;
}

/**
 * What a program or a manager wrote keeps its words; who wrote it is quoted and cut. The params `subject` and
 * `message`, if they are texts, replace the heading and the text; every other param becomes a line of the
 * text (rule notifications 49).
 */
function writtenText(
  event: DescribedEvent,
  reader: Addressee,
  language: MailLanguage,
  sender: Sender,
): NotificationText {
  const { subject: subjectParam, message, ...others } = event.params;
  const { heading, isKnown, wordOf } = phrasesOf(event, language);
  const named = event.entityName === '' ? heading : `${heading} (${event.entityName})`;
  const headline = event.subject ?? textOf(subjectParam) ?? named;
  const valueOf = (value: unknown) =>
    (isKnown ? timeIn(lineOf(value), language, sender.timeZone) : undefined) ?? lineOf(value);
  const lines = Object.entries(others).map(([param, value]) => `${wordOf(param)}: ${valueOf(value)}`);
  const by = event.actor === null ? '' : ` ${writtenBy(language, quotedInShort(language, event.actor))}`;
  const text = [`${textOf(message) ?? `${headline}.`}${by}`, ...lines].join('\n');
  const isLetter = event.kind.isLetter === true && textOf(message) === undefined;
  const letter = [greeting(language, plainName(reader.name)), text, whomToAsk(language, sender)];
  return {
    subject: shortened(headline),
    text: isLetter ? letter.join('\n\n') : text,
  };
}

interface Phrases {
  readonly heading: string;
  /** The service itself records such events. Those of other areas keep their own names. */
  readonly isKnown: boolean;
  readonly wordOf: (param: string) => string;
}

function phrasesOf({ kind, otherParams }: DescribedEvent, language: MailLanguage): Phrases {
  const known = kind.heading && phraseIn(language, kind.heading);
  const words = { ...otherParams, ...kind.params };
  const wordOf = (param: string): string => {
    const phrase = known !== undefined && Object.hasOwn(words, param) ? words[param] : undefined;
    return phrase === undefined ? param : phraseIn(language, phrase);
  };
  return { heading: known ?? `${kind.group}: ${kind.type}`, isKnown: known !== undefined, wordOf };
}

/**
 * The text for an unverified address: what happened and when, without a word that a user
 * chose (rule recovery 24).
 */
export function redactedNotificationText(
  { heading, group, cause }: DescribedKind,
  at: Date,
  language: MailLanguage,
  { timeZone }: Pick<Sender, 'timeZone'>,
): NotificationText {
  const subject = heading === undefined ? group : phraseIn(language, heading);
  const time = dateIn(language, at, timeZone);
  const isDue = cause === 'time';
  const sentence = phraseIn(language, isDue ? BARE_DUE : BARE)
    .replace('{at}', isDue ? time : on(language, time))
    .replace('{heading}', withinSentence(subject));
  return { subject, text: `${greeting(language, '')}\n\n${sentence}` };
}

/**
 * A heading after a colon, so it has no colon of its own. Words that begin with two capitals, such as API,
 * keep them.
 */
function withinSentence(heading: string): string {
  const begun = /^\p{Lu}\p{Lu}/u.test(heading)
    ? heading
    : `${heading.charAt(0).toLowerCase()}${heading.slice(1)}`;
  return begun.replace(/ ?: /, ' – ');
}

function whomToAsk(language: MailLanguage, { companyName, supportUrl }: Sender): string {
  const whom = `${phraseIn(language, ASK)} ${companyName ?? phraseIn(language, PROVIDER)}`;
  return supportUrl === undefined ? `${whom}.` : `${whom}${COLON[language]}${supportText(supportUrl)}`;
}

function operatorIn(language: MailLanguage, { companyName, supportUrl }: Operator): string {
  const name = companyName ?? phraseIn(language, SUPPORT);
  return supportUrl === undefined ? name : `${name} (${supportText(supportUrl)})`;
}

/** A value of the service's own notifications: numbers and times as they are, other texts quoted. */
function quotedValue(value: unknown, language: MailLanguage, timeZone: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = lineOf(value);
  return timeIn(text, language, timeZone) ?? quoted(language, text);
}

/** The time in a param, in words. Undefined for another text: a typed reason may look like a time. */
function timeIn(text: string, language: MailLanguage, timeZone: string): string | undefined {
  const [, day = '', time = ''] = INSTANT.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  return Number.isNaN(date.getTime()) ? undefined : dateIn(language, date, timeZone);
}

/** The value, if it is a text with visible characters. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const lineOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
