/** A name of what opens doors; `tokens2fa` and such hold records, whose own names count. */
const SECRET_NAME =
  '(?<![\\w-])(?!country|zip)(?:' +
  '[\\w-]*(?:passw|passphrase|secret|hash|token|credential|authori[sz]ation|cookie|session|signature|otp|private)[\\w-]*' +
  '|[\\w-]*(?:codes?|api_?key|wachtwoord)|key|auth|sig|jwt|pass|pwd|pin|twofa)(?![\\w-])';
const IS_SECRET_NAME = new RegExp(SECRET_NAME, 'i');

const LEAST_SECRET = 16;

/** A credential with its scheme: no word (`Basic hosting`), and no demand for one (`Basic realm="panel"`). */
const CREDENTIAL =
  /(?<scheme>\b(?:[Bb]asic|[Bb]earer|[Dd]igest|[Nn]egotiate) +)(?!\w+=")(?=\S*(?:\d|[a-z]\S*[A-Z]|[=+/]))[^\s"',;]+/g;
const CREDENTIAL_AT_START = new RegExp(`^${CREDENTIAL.source}`);

/** Whether a value of this name may be a secret; `user[code]` counts as its parts. */
export const hasSecretName = (name: string): boolean => IS_SECRET_NAME.test(name);

/** Whether a text may be a secret, by its form alone. */
export function looksSecret(text: string): boolean {
  if (CREDENTIAL_AT_START.test(text) || /^\$\w{1,10}\$|^otpauth:|-----BEGIN /i.test(text)) return true;
  return text.split('.').some(looksDrawn);
}

/** Whether a text without dots looks as if a machine had drawn it. */
function looksDrawn(text: string): boolean {
  if (text.length < LEAST_SECRET || !/^[\w+/=~-]+$/.test(text)) return false;
  if (/^[0-9a-f]+$/i.test(text)) return true;
  const hasDigit = /\d/.test(text);
  if (/[+/]/.test(text)) return (hasDigit && text.endsWith('=')) || drawnParts(text) !== undefined;
  if (isJumbled(text)) return true;
  // Names of things have hyphens and small letters; what was drawn has all kinds of characters.
  return hasDigit && /[a-z]/i.test(text) && !/^[a-z]+(?:[-_][a-z]+)*[-_]?\d{0,4}$/i.test(text);
}

/** Base64 has slashes, as paths have. From where to where its parts go that no words of a path are like. */
function drawnParts(text: string): readonly [from: number, to: number] | undefined {
  const parts = [...text.matchAll(/[^+/]+/g)];
  const drawn = parts.filter(([part]) => isMixed(part) || looksDrawn(part));
  const [first, last] = [drawn.at(0), drawn.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const isSecret = drawn.length > 1 || looksDrawn(first[0]);
  return isSecret ? [first.index, text.endsWith('=') ? text.length : last.index + last[0].length] : undefined;
}

/** Words are longer on average, also in `camelCase`. */
const LETTERS_A_WORD = 6;

/** Letters of which too many begin a word. */
const isJumbled = (text: string): boolean =>
  (text.match(/[a-z][A-Z]/g)?.length ?? 0) * LETTERS_A_WORD > text.length && /[A-Z]{2}/.test(text);

const isMixed = (part: string): boolean =>
  part.length > 2 && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part);

/** The password of a URL, before its host. */
const USER_OF_URL = /\/\/[^\s/?#@]+@/g;

/** What a text says under a name: a parameter of a URL, a field of JSON, `code: 123456`. */
const NAMED = new RegExp(
  `(?<name>${SECRET_NAME}[\\]"']*\\s*[=:]\\s*)(?:"[^"]*"|'[^']*'|[^\\s&;,"'<>)\\]}]+)`,
  'gi',
);

/**
 * The way to the last part of a link that works once: whoever has that part may open it, whatever it looks
 * like. Slashes may stand as JSON writes them. Collections of the interface have plural names, and show ids.
 */
const ONE_TIME_LINK =
  /(?<way>\/(?:reset|resetting|password|registerinvitation|invitation|invite|join|usernames?|activate|activation|confirm|verify|unlock|login|end-login|sso|token|account\\?\/documents|download(?:pdf|xml|report)?)(?:\\?\/[^\s/\\?#&"'<>]+)*\\?\/)[^\s/\\?#&"'<>]+/gi;

const WITH_SLASHES = /(?<![\w-])[\w-]+(?:[+/]+[\w-]+)+=*/g;

/** A text of several words or parts, such as a URL: each part that may be a secret is masked. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(CREDENTIAL, '$<scheme>(masked)')
    .replaceAll(USER_OF_URL, '//(masked)@')
    .replaceAll(NAMED, '$<name>(masked)')
    .replaceAll(ONE_TIME_LINK, '$<way>(masked)')
    .replaceAll(WITH_SLASHES, (part) => {
      const [from = 0, to = 0] = drawnParts(part) ?? [];
      return to === 0 ? part : `${part.slice(0, from)}(masked)${part.slice(to)}`;
    })
    .replaceAll(/[\w.+~%$-]+/g, (part) => (looksSecret(part) || hidesSecret(part) ? '(masked)' : part));

/** Whether a part of a URL has a secret once it is decoded, such as the link in `next=%2Freset%2F…`. */
function hidesSecret(part: string): boolean {
  const text = decoded(part);
  return part.includes('%') && text !== part && mayHoldSecret(text);
}

/** Whether a part of a path or query is a secret or says one, as it is written or decoded. */
export const mayHoldSecret = (text: string): boolean =>
  [text, decoded(text)].some((form) => looksSecret(form) || withoutSecrets(form) !== form);

/** Names that say nothing of a value. */
const NO_NAME = /^(?:value|text|content|data)$/i;

/** The name of a value that says whether it may be a secret: its own, or that of what it stands in. */
export const tellingName = (name: string, around: string): string =>
  NO_NAME.test(name) && hasSecretName(around) ? around : name;

/** A part of a URL as its server reads it. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
