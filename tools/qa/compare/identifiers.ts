import { type Exact, ExactNumber, isList, isObject } from './exact-json';
import { hasSecretName } from './secrets';

/** Pairs that are kept; the oldest is forgotten first. */
const MOST_PAIRS = 100_000;

/** Names under which identifiers of a kind stand too. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  acl: 'organisation',
  grantee: 'organisation',
  inviation: 'invitation',
  suborganisation: 'organisation',
};

/** `userId`, `users` and `user` name the same kind; so do `sshkeys` and `tokens2fa`. */
function kindOf(name: string): string {
  const word = name
    .toLowerCase()
    .replace(/ids?$/, '')
    .replace(/s(?=2fa$)|s$/, '');
  return OTHER_KINDS[word] ?? word;
}

type Identifier = string | number;

const isIdentifier = (value: unknown): value is Identifier =>
  (typeof value === 'number' && Number.isInteger(value)) ||
  (typeof value === 'string' && /^[\w-]{1,64}$/.test(value));

/** `userId`; what `sessionId` holds may open a door, and would be kept in a file. */
const namesIdentifier = (name: string): boolean =>
  /[a-z]Id$/.test(name) && name !== 'requestId' && !hasSecretName(name);

/** Identifiers that POSTs answered on the old side, and what they are on the new one. */
export class Identifiers {
  private readonly pairs: Map<string, string>;

  constructor(pairs: readonly (readonly [string, string])[] = []) {
    this.pairs = new Map(pairs);
  }

  toJSON(): [string, string][] {
    return [...this.pairs];
  }

  /** Learns from the answers to one POST; `path` names the kind of an identifier without a name around it. */
  learn(old: Exact, fresh: Exact, path: string): void {
    const words = path.split(/[/?]/).filter((segment) => /^[a-z]\w*$/i.test(segment));
    this.learnFrom(old, fresh, words.at(-1) ?? '');
  }

  /** Whether two values are identifiers of one record, each on its side; `name` is theirs. */
  isPair(old: Exact, fresh: Exact, name: string, around: string): boolean {
    return this.pairs.size > 0 && this.identifierOnNew(old, name, around) === fresh;
  }

  /** What an identifier of the old side is on the new one. */
  identifierOnNew(value: Exact, name: string, around: string): Exact {
    if (typeof value === 'string') return this.textOnNew(value, name, around);
    if (!isIdentifier(value)) return value;
    const text = String(value);
    const mapped = this.textOnNew(text, name, around);
    return mapped === text ? value : Number(mapped);
  }

  /** A path with its query, as the new side knows it. */
  pathOnNew(path: string): string {
    if (this.pairs.size === 0) return path;
    const [pathname = '', ...query] = path.split('?');
    const segments = pathname.split('/');
    const mapped = segments.map((segment, index) => this.textOnNew(segment, 'id', segments[index - 1] ?? ''));
    const pairs = query.join('?').split('&');
    const parameters = pairs.map((pair) => {
      const [name = '', value] = pair.split('=');
      return value === undefined ? pair : `${name}=${this.textOnNew(value, name, '')}`;
    });
    return query.length === 0 ? mapped.join('/') : `${mapped.join('/')}?${parameters.join('&')}`;
  }

  /** A body as the new side knows it; text that is no JSON stays. */
  bodyOnNew(body: string | Buffer): string | Buffer {
    if (this.pairs.size === 0) return body;
    try {
      const value = JSON.parse(body.toString()) as Exact;
      const mapped = this.valueOnNew(value, '', '');
      return mapped === value ? body : JSON.stringify(mapped);
    } catch {
      return body;
    }
  }

  /** The value itself where nothing in it changes. */
  private valueOnNew(value: Exact, name: string, around: string): Exact {
    if (isList(value)) {
      const items = value.map((item) => this.valueOnNew(item, name, around));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    if (isObject(value)) {
      const fields = Object.entries(value).map(
        ([key, field]) => [key, this.valueOnNew(field, key, name)] as const,
      );
      return fields.some(([key, field]) => field !== value[key]) ? Object.fromEntries(fields) : value;
    }
    if (typeof value !== 'string' || !value.includes(',')) return this.identifierOnNew(value, name, around);
    const parts = value.split(',').map((part) => this.textOnNew(part.trim(), name, around));
    return parts.some((part, index) => part !== value.split(',')[index]?.trim()) ? parts.join(',') : value;
  }

  private learnFrom(old: Exact, fresh: Exact, name: string): void {
    if (isList(old) && isList(fresh)) {
      for (const [index, item] of old.entries()) this.learnFrom(item, fresh[index] ?? null, name);
    }
    if (!isObject(old) || !isObject(fresh)) return;
    for (const [key, value] of Object.entries(old)) {
      const other = fresh[key];
      if (other === undefined) continue;
      if (key === 'id') this.keep(kindOf(name), value, other);
      else if (namesIdentifier(key)) this.keep(kindOf(key), value, other);
      else this.learnFrom(value, other, key);
    }
  }

  private textOnNew(text: string, name: string, around: string): string {
    if (this.pairs.size === 0) return text;
    const known = this.kinds(name, around).map((kind) => this.pairs.get(`${kind} ${text}`));
    const mapped = known.find((identifier) => identifier !== undefined);
    if (mapped !== undefined) return mapped;
    // `Organisation-501` is an identifier with its kind.
    const [, kind = '', identifier = ''] = /^([A-Za-z]+)-(\d+)$/.exec(text) ?? [];
    const other = this.pairs.get(`${kindOf(kind)} ${identifier}`);
    return other === undefined ? text : `${kind}-${other}`;
  }

  private keep(kind: string, old: Exact, fresh: Exact): void {
    if (typeof old !== typeof fresh || old === fresh || old instanceof ExactNumber) return;
    if (!isIdentifier(old) || !isIdentifier(fresh)) return;
    const [oldest] = this.pairs.keys();
    if (this.pairs.size >= MOST_PAIRS && oldest !== undefined) this.pairs.delete(oldest);
    this.pairs.set(`${kind} ${old}`, String(fresh));
  }

  /** `parentOrganisation` and `autoTeams` are of the kind that stands at their end. */
  private kinds(name: string, around: string): string[] {
    if (name === 'id') return [kindOf(around), ...endingsOf(around)];
    return [kindOf(name), ...endingsOf(name)];
  }
}

/** The words at the end of a name: `organisation` of `parentOrganisation`. */
function endingsOf(name: string): string[] {
  const capitals = [...name.replace(/Ids?$/, '').matchAll(/[A-Z]/g)].map(({ index }) => index);
  return capitals.map((index) => kindOf(name.slice(index)));
}
