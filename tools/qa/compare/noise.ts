import { hasSecretName } from './secrets';

/** What two servers may answer differently without a difference for their clients. */
export interface NoiseRules {
  /** Seconds that two moments may lie apart. */
  readonly clock: number;
  readonly isUnordered: boolean;
}

const MILLISECOND = 0.001;

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/;

/** Fields that hold a moment in Unix seconds, or milliseconds. */
const MOMENT_NAME = /^dt[A-Z]|run$|time|date|stamp|at$|until$|since$|expires?$|created|updated|seen/i;

/** Seconds since 1970 of texts and numbers of this form under such a name. */
function secondsOf(text: string, name: string): number | undefined {
  if (ISO.test(text)) return Date.parse(text) * MILLISECOND;
  if (!MOMENT_NAME.test(name)) return undefined;
  if (/^\d{9,10}$/.test(text)) return Number(text);
  return /^\d{12,13}$/.test(text) ? Number(text) * MILLISECOND : undefined;
}

/** The form of a moment: programs that read one need not read another. */
const layoutOf = (text: string): string => text.replaceAll(/\d/g, '0');

/** Two moments of one form, close to each other. */
function isSameMoment(old: string, fresh: string, name: string, { clock }: NoiseRules): boolean {
  const [before, after] = [secondsOf(old, name), secondsOf(fresh, name)];
  if (before === undefined || after === undefined || layoutOf(old) !== layoutOf(fresh)) return false;
  // A thousandth of a second counts for nothing: sums of decimal fractions are inexact.
  return Math.abs(before - after) <= clock + MILLISECOND;
}

/** Alphabets from the smallest to the largest; the first that has all characters is the one of a token. */
const ALPHABETS: readonly (readonly [name: string, form: RegExp])[] = [
  ['digits', /^\d+$/],
  ['hex', /^[0-9a-f]+$/],
  ['capital hex', /^[0-9A-F]+$/],
  ['base32', /^[A-Z2-7]+=*$/],
  ['letters and digits', /^[0-9A-Za-z]+=*$/],
  ['base64url', /^[\w-]+=*$/],
  ['base64', /^[\w+/]+=*$/],
  ['three parts', /^[\w-]+\.[\w-]+\.[\w-]+$/],
];

const alphabetOf = (text: string): string | undefined => ALPHABETS.find(([, form]) => form.test(text))?.[0];

/** Texts in base64 may lack its two signs by chance. */
const isSameAlphabet = (...names: readonly string[]): boolean =>
  new Set(names).size === 1 ||
  (names.includes('letters and digits') && names.some((name) => name.startsWith('base64')));

/** What some tokens begin with, to tell what they are for (`whsec_`). */
const PREFIX = /^[a-z]{2,10}_/;

/** Lengths of digests in hex, and of 256 bits or more in base64. */
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const DRAWN = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{40,}$/;

const LEAST_TOKEN = 8;
/** Shorter ones may lack a part of their alphabet by chance. */
const LEAST_FORM = 24;

/** Such as `NOT_FOUND` in a field `code`; what was drawn has digits, or letters of both kinds. */
const WORDS = /^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[_-](?:[A-Z]?[a-z]+|[A-Z]+))*$/;

/** Two hashes or tokens of one form: each server draws its own. */
function isSameForm(old: string, fresh: string, name: string): boolean {
  if (old.length !== fresh.length || old.length < LEAST_TOKEN) return false;
  const isNamedSo = hasSecretName(name) && !WORDS.test(old) && !WORDS.test(fresh);
  const isToken = DIGEST.test(old) || DRAWN.test(old) || isNamedSo;
  const [prefix = ''] = PREFIX.exec(old) ?? [];
  if (!isToken || !fresh.startsWith(prefix)) return false;
  const [before, after] = [old, fresh].map((text) => alphabetOf(text.slice(prefix.length)));
  if (before === undefined || after === undefined) return false;
  return isSameAlphabet(before, after) || old.length < LEAST_FORM;
}

/** Whether two different texts under one name are known noise. */
export const isNoise = (old: string, fresh: string, name: string, rules: NoiseRules): boolean =>
  name === 'requestId' || isSameMoment(old, fresh, name, rules) || isSameForm(old, fresh, name);

/** Whether two different numbers are known noise: only moments can be. */
export const isNumberNoise = (old: number, fresh: number, name: string, rules: NoiseRules): boolean =>
  isSameMoment(String(old), String(fresh), name, rules);
