import { canonical, type Exact, ExactNumber, isList, isObject } from './exact-json';

/** Names of what opens doors; `tokens2fa` and such hold records, whose own names count. */
const SECRET_NAME =
  /passw|passphrase|secret|hash|token|credential|authori[sz]ation|cookie|session|signature|otp|private|code$|codes$|api_?key$|^key$|^auth$|^sig$|^jwt$/i;

const LEAST_SECRET = 16;

/** Whether a value of this name may be a secret. */
export const hasSecretName = (name: string): boolean =>
  SECRET_NAME.test(name) && !/^(?:country|zip)/i.test(name);

/** Whether a text may be a secret, by its form alone. */
export function looksSecret(text: string): boolean {
  if (/^(?:Basic|Bearer|Digest|Negotiate) |^\$\w{1,10}\$|^otpauth:|-----BEGIN /i.test(text)) return true;
  return text.split('.').some(looksDrawn);
}

/** Whether a text without dots looks as if a machine had drawn it. */
function looksDrawn(text: string): boolean {
  if (text.length < LEAST_SECRET || !/^[\w+/=~-]+$/.test(text)) return false;
  if (/^[0-9a-f]+$/i.test(text)) return true;
  // Names of things have hyphens and small letters; what was drawn has all kinds of characters.
  return /\d/.test(text) && /[a-z]/i.test(text) && !/^[a-z]+(?:[-_][a-z]+)*[-_]?\d{0,4}$/i.test(text);
}

const masked = (text: string): string => `(masked, ${text.length} characters)`;

/** A text of a report: no secret, and of a length that can be read. */
export const shownText = (text: string, name = ''): string =>
  hasSecretName(name) || looksSecret(text) ? masked(text) : shortened(withoutSecrets(text));

const LONGEST = 200;

const shortened = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;

/** A text of several words or parts, such as a URL: each part that may be a secret is masked. */
const withoutSecrets = (text: string): string =>
  text.replaceAll(/[^\s/?&=:;,"'<>()[\]{}#]+/g, (part) => (looksSecret(part) ? '(masked)' : part));

/** A value of a report, with its own JSON type where it is small. */
export function shownValue(value: Exact | undefined, name = ''): unknown {
  if (value === undefined) return null;
  if (value === null || typeof value === 'boolean') return value;
  if (hasSecretName(name) && (typeof value === 'number' || value instanceof ExactNumber)) return '(masked)';
  if (typeof value === 'number') return value;
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'string') return shownText(value, name);
  const copy = isList(value)
    ? value.slice(0, MOST_MEMBERS).map((item) => shownValue(item, name))
    : objectOf(value, name);
  const size = isList(value) ? value.length : Object.keys(value).length;
  const isWhole = size <= MOST_MEMBERS && JSON.stringify(copy).length <= LONGEST;
  return isWhole ? copy : `(${isList(value) ? 'a list' : 'an object'} of ${size})`;
}

const MOST_MEMBERS = 30;

function objectOf(value: Exact, name: string): Record<string, unknown> {
  const fields = isObject(value) ? Object.entries(value).slice(0, MOST_MEMBERS) : [];
  return Object.fromEntries(
    fields.map(([key, field]) => [
      key,
      shownValue(field, hasSecretName(name) && !isObject(field) ? name : key),
    ]),
  );
}

/** The identities of the first items of a list, to show their order. */
export function shownOrder(items: readonly Exact[]): unknown {
  const shown = items.slice(0, MOST_IN_ORDER).map((item) => {
    const identity = isObject(item) ? (item['id'] ?? item['name'] ?? null) : item;
    return identity !== null && typeof identity === 'object' ? canonicalPart(identity) : shownValue(identity);
  });
  return items.length > MOST_IN_ORDER ? [...shown, '…'] : shown;
}

const canonicalPart = (value: Exact): string => shownText(canonical(value).slice(0, LONGEST));

const MOST_IN_ORDER = 10;

/** A parameter of a path whose value opens doors. */
const isSecretParameter = (segment: string | undefined): boolean =>
  segment !== undefined && /^\{.*\}$/.test(segment) && hasSecretName(segment.slice(1, -1));

/** A path with its query, without the tokens of links and whatever else could be a secret. */
export function shownPath(path: string, template: string): string {
  const [pathname = '', query] = splitOnce(path);
  const names = template.split('/');
  const shown = pathname
    .split('/')
    .map((segment, index) =>
      isSecretParameter(names[index]) || looksSecret(decoded(segment)) ? '{masked}' : segment,
    )
    .join('/');
  return query === undefined ? shown : `${shown}?${shownQuery(query)}`;
}

function splitOnce(path: string): readonly (string | undefined)[] {
  const at = path.indexOf('?');
  return at < 0 ? [path] : [path.slice(0, at), path.slice(at + 1)];
}

const shownQuery = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      const value = decoded(rest.join('='));
      const isSecret = hasSecretName(decoded(name)) || looksSecret(value) || looksSecret(decoded(name));
      return isSecret && rest.length > 0
        ? `${looksSecret(decoded(name)) ? '{masked}' : name}={masked}`
        : pair;
    })
    .join('&');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The name of a credential: a digest is what the file of credentials needs. */
export const shownName = (as: string): string => (as.startsWith('sha256:') ? as : shownText(as));
