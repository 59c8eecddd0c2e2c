import Bowser from 'bowser';

/** The program of requests without a credential, or without a usable user agent. */
export const OTHER_PROGRAM = 'other';

/** Maximum length of a program's name (the width of the column). */
const LONGEST = 32;

/** The first product token (RFC 9110) of a user agent, without its version. */
const PRODUCT = /^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]*/;

/** The user agent of every browser begins with it. */
const COMMON_PRODUCT = 'mozilla';

/** Maximum user agents in the cache, about as many as are in use at a time. */
const MAX_CACHED = 500;

/** Longer user agents are truncated. */
const MAX_USER_AGENT_LENGTH = 512;

const FAMILIES: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

/** Finds the program of a user agent: a browser family, or the product name of another client. */
export class Programs {
  private readonly cache = new Map<string, string>();

  of(userAgent: string | undefined): string {
    const text = (userAgent ?? '').trim().slice(0, MAX_USER_AGENT_LENGTH);
    if (text === '') return OTHER_PROGRAM;
    const known = this.cache.get(text);
    if (known !== undefined) return known;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    const program = programOf(text);
    this.cache.set(text, program);
    return program;
  }
}

function programOf(userAgent: string): string {
  const family = Bowser.parse(userAgent).browser.name;
  if (family !== undefined && FAMILIES.has(family)) return family;
  const product = (PRODUCT.exec(userAgent)?.[0] ?? '').toLowerCase().slice(0, LONGEST);
  return product === '' || product === COMMON_PRODUCT ? OTHER_PROGRAM : product;
}
