import { createHash } from 'node:crypto';
import { compareBodies, type Comparison, type Found, type Rules, withoutOwnNoise } from './differences';
import { parseExactly } from './exact-json';
import type { Identifiers } from './identifiers';
import { formOf, shownText } from './masks';

/** What a server answered. */
export interface Answer {
  readonly status: number;
  /** Those that count, by names in small letters. */
  readonly headers: Readonly<Partial<Record<string, string>>>;
  /** Absent where it is larger than what can be held. */
  readonly body?: Buffer;
  readonly size: number;
  /** Of the whole body, where it is absent. */
  readonly digest?: string;
  /** Why the body ended before its end. */
  readonly broken?: string;
  readonly milliseconds: number;
}

/** Why there was no answer. */
export interface NoAnswer {
  readonly failure: string;
  readonly milliseconds: number;
}

export type Result = Answer | NoAnswer;

export const isAnswer = (result: Result): result is Answer => 'status' in result;

/** The headers that count, as reports name them. */
export const COUNTED_HEADERS = [
  'Content-Type',
  'Link',
  'Allow',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
] as const;

type HeaderName = (typeof COUNTED_HEADERS)[number];

export interface Verdict {
  readonly outcome: 'equal' | 'noise' | 'different';
  readonly differences: readonly Found[];
}

/** The answers to one request: of the old server, which answers a read twice, and of the new one. */
export interface Answers {
  readonly old: Result;
  readonly oldAgain?: Result;
  readonly new: Result;
}

/** What differs between the servers and not between two answers of the old one. */
export function verdictOn({ old, oldAgain, new: fresh }: Answers, rules: Rules): Verdict {
  const [reference, second] = isWhole(old) || oldAgain === undefined ? [old, oldAgain] : [oldAgain, old];
  const found = compareResults(reference, fresh, rules);
  const hasFailed = second !== undefined && !isWhole(second);
  if (found.differences.length === 0) {
    return { outcome: found.isNoisy || hasFailed ? 'noise' : 'equal', differences: [] };
  }
  if (second === undefined || hasFailed) return { outcome: 'different', differences: found.differences };
  const ownRules = { ...rules, new: rules.old };
  const noise = compareResults(reference, second, ownRules).differences;
  const differences = withoutOwnNoise(found.differences, noise);
  const isAsSecond = noise.length > 0 && compareResults(second, fresh, rules).differences.length === 0;
  return differences.length === 0 || isAsSecond
    ? { outcome: 'noise', differences: [] }
    : { outcome: 'different', differences };
}

const isWhole = (result: Result): boolean => isAnswer(result) && result.broken === undefined;

const single = (kind: Found['kind'], at: string, old: unknown, fresh: unknown): Found => ({
  kind,
  at,
  place: at,
  old,
  new: fresh,
});

const only = (found: Found): Comparison => ({ differences: [found], isNoisy: false });

const NOTHING: Comparison = { differences: [], isNoisy: false };

function compareResults(old: Result, fresh: Result, rules: Rules): Comparison {
  if (!isAnswer(old) || !isAnswer(fresh))
    return only(single('status', '', shownResult(old), shownResult(fresh)));
  // Where the statuses differ, bodies and headers are those of two different things.
  if (old.status !== fresh.status) return only(single('status', '', old.status, fresh.status));
  const headers = COUNTED_HEADERS.map((name) => compareHeader(name, old, fresh, rules));
  const parts = [...headers, compareContents(old, fresh, rules)];
  return {
    differences: parts.flatMap(({ differences }) => differences),
    isNoisy: parts.some(({ isNoisy }) => isNoisy),
  };
}

const shownResult = (result: Result): unknown =>
  isAnswer(result) ? result.status : `no answer: ${result.failure}`;

function compareHeader(name: HeaderName, old: Answer, fresh: Answer, rules: Rules): Comparison {
  const [before, after] = [old.headers[name.toLowerCase()], fresh.headers[name.toLowerCase()]];
  if (before === after) return NOTHING;
  const shown = (value: string | undefined) => shownHeader(name, value, rules);
  const difference = only(single('header', name, shown(before), shown(after)));
  if (before === undefined || after === undefined) return difference;
  if (name === 'Retry-After') {
    const isClose = Math.abs(Number(before) - Number(after)) <= rules.clock;
    return isClose ? { differences: [], isNoisy: true } : difference;
  }
  const onNew = name === 'Link' || name === 'Location';
  const isSame =
    normalized(name, before, rules) === normalized(name, after, rules) ||
    (onNew &&
      linksOnNew(normalized(name, before, rules), rules.identifiers) === normalized(name, after, rules));
  return isSame ? NOTHING : difference;
}

/** Headers that say nothing of a person, and hold no link. */
const PLAIN_HEADERS: ReadonlySet<HeaderName> = new Set(['Content-Type', 'Allow', 'Retry-After']);

function shownHeader(name: HeaderName, value: string | undefined, { values }: Rules): unknown {
  if (value === undefined) return null;
  return values || PLAIN_HEADERS.has(name) ? shownText(value) : formOf(value);
}

/** Without what has no meaning: letters of types, blanks, the order of methods, the address of the server. */
function normalized(name: HeaderName, value: string, rules: Rules): string {
  if (name === 'Content-Type')
    return value
      .toLowerCase()
      .replaceAll(/\s*;\s*/g, '; ')
      .replaceAll('"', '');
  if (name === 'Allow') {
    const methods = value.split(',').map((method) => method.trim());
    return methods.sort().join(', ');
  }
  if (name !== 'Link' && name !== 'Location') return value;
  return [rules.old, rules.new].reduce(
    (text, { origin, ownPath }) => text.replaceAll(startOfLinks(`${origin}${ownPath}`), '$1{address}'),
    value.replaceAll(/,\s*</g, ', <').replaceAll(/>\s*;\s*/g, '>; '),
  );
}

/** An address at the beginning of a link. */
const startOfLinks = (address: string): RegExp => {
  const escaped = address.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(^|<)${escaped}(?=[/?>]|$)`, 'gi');
};

/** Links of the old side with the identifiers of the new one. */
const linksOnNew = (value: string, identifiers: Identifiers): string =>
  value.startsWith('<')
    ? value.replaceAll(/<([^>]*)>/g, (_, link: string) => `<${identifiers.pathOnNew(link)}>`)
    : identifiers.pathOnNew(value);

function compareContents(old: Answer, fresh: Answer, rules: Rules): Comparison {
  if (old.broken !== undefined || fresh.broken !== undefined || !old.body || !fresh.body) {
    return isSameText(old, fresh) ? NOTHING : only(single('body', '$', shownBody(old), shownBody(fresh)));
  }
  if (old.body.equals(fresh.body)) return NOTHING;
  const [before, after] = [parseExactly(old.body.toString()), parseExactly(fresh.body.toString())];
  if (before === undefined || after === undefined)
    return only(single('body', '$', shownBody(old), shownBody(fresh)));
  return compareBodies(before.value, after.value, rules);
}

const isSameText = (old: Answer, fresh: Answer): boolean =>
  old.broken === undefined && fresh.broken === undefined && digestOf(old) === digestOf(fresh);

const digestOf = ({ body, digest }: Answer): string | undefined =>
  body === undefined ? digest : createHash('sha256').update(body).digest('hex');

/** What a body is, not what it says: files and pages may hold anything. */
function shownBody({ body, size, broken, headers }: Answer): string {
  if (broken !== undefined) return `breaks off after ${size} bytes: ${broken}`;
  if (size === 0) return 'nothing';
  if (body === undefined) return `too large to be compared by fields, ${size} bytes`;
  const isJson = parseExactly(body.toString()) !== undefined;
  if (isJson) return `JSON, ${size} bytes`;
  const [type = 'no type'] = (headers['content-type'] ?? 'no type').split(';');
  return `no JSON (${shownText(type)}), ${size} bytes`;
}
