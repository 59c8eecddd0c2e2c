import { canonical, type Exact, ExactNumber, isList, isObject } from './exact-json';
import { decoded, hasSecretName, looksSecret, mayHoldSecret, withoutSecrets } from './secrets';

const masked = (text: string): string => `(masked, ${text.length} characters)`;

/** A text of a report: no secret, and of a length that can be read. */
export const shownText = (text: string, name = ''): string =>
  hasSecretName(name) || looksSecret(text) ? masked(text) : shortened(text);

const LONGEST = 200;
/** More than is shown, because masks are shorter than what they hide. */
const LONGEST_READ = 2000;

function shortened(text: string): string {
  // A secret of which only the beginning is left could not be told from a word.
  const read = text.length > LONGEST_READ ? text.slice(0, LONGEST_READ).replace(/\S*$/, '') : text;
  const shown = withoutSecrets(read);
  const isWhole = read === text && shown.length <= LONGEST;
  return isWhole ? shown : `${shown.slice(0, LONGEST)}… (${text.length} characters)`;
}

/** What a text is, not what it says: it may be of a person. */
export const formOf = (text: string): string =>
  text === '' ? '' : `(text, ${text.length} ${text.length === 1 ? 'character' : 'characters'})`;

/** A value of a report, with its own JSON type where it is small, and texts where they were asked for. */
export function shownValue(value: Exact | undefined, name = '', withTexts = true): unknown {
  if (value === undefined) return null;
  if (value === null || typeof value === 'boolean') return value;
  if (hasSecretName(name) && (typeof value === 'number' || value instanceof ExactNumber)) return '(masked)';
  if (typeof value === 'number') return value;
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'string') return withTexts ? shownText(value, name) : formOf(value);
  const copy = isList(value)
    ? value.slice(0, MOST_MEMBERS).map((item) => shownValue(item, name, withTexts))
    : objectOf(value, name, withTexts);
  const size = isList(value) ? value.length : Object.keys(value).length;
  const isWhole = size <= MOST_MEMBERS && JSON.stringify(copy).length <= LONGEST;
  return isWhole ? copy : `(${isList(value) ? 'a list' : 'an object'} of ${size})`;
}

const MOST_MEMBERS = 30;

function objectOf(value: Exact, name: string, withTexts: boolean): Record<string, unknown> {
  const fields = isObject(value) ? Object.entries(value).slice(0, MOST_MEMBERS) : [];
  return Object.fromEntries(
    fields.map(([key, field]) => [
      shownText(key),
      shownValue(field, hasSecretName(name) ? name : key, withTexts),
    ]),
  );
}

/** The identities of the first items of a list, to show their order. */
export function shownOrder(items: readonly Exact[], withTexts = true): unknown {
  const shown = items.slice(0, MOST_IN_ORDER).map((item) => {
    const identity = isObject(item) ? (item['id'] ?? item['name'] ?? null) : item;
    return identity !== null && typeof identity === 'object'
      ? shownValue(canonical(identity).slice(0, LONGEST), '', withTexts)
      : shownValue(identity, '', withTexts);
  });
  return items.length > MOST_IN_ORDER ? [...shown, '…'] : shown;
}

const MOST_IN_ORDER = 10;

/** A parameter of a path whose value opens doors. */
const isSecretParameter = (segment: string | undefined): boolean =>
  segment !== undefined && /^\{.*\}$/.test(segment) && hasSecretName(segment.slice(1, -1));

/** A path with its query, without the tokens of links and whatever else could be a secret. */
export function shownPath(path: string, template: string): string {
  const [pathname = '', query] = splitOnce(path);
  const names = partsOf(template);
  // Counted from the end: the path may begin with `/v1`, and have empty segments.
  let left = partsOf(pathname).length;
  const shown = pathname
    .split('/')
    .map((segment) => {
      if (segment === '') return segment;
      const isSecret = isSecretParameter(names.at(-left)) || mayHoldSecret(segment);
      left -= 1;
      return isSecret ? '{masked}' : segment;
    })
    .join('/');
  return query === undefined ? shown : `${shown}?${shownQuery(query)}`;
}

const partsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

function splitOnce(path: string): readonly (string | undefined)[] {
  const at = path.indexOf('?');
  return at < 0 ? [path] : [path.slice(0, at), path.slice(at + 1)];
}

const shownQuery = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      const shownName = mayHoldSecret(name) ? '{masked}' : name;
      if (rest.length === 0) return shownName;
      const value = rest.join('=');
      return `${shownName}=${hasSecretName(decoded(name)) || mayHoldSecret(value) ? '{masked}' : value}`;
    })
    .join('&');

/** The name of a credential: a digest is what the file of credentials needs. */
export const shownName = (as: string): string => (as.startsWith('sha256:') ? as : shownText(as));
