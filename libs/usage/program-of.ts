import Bowser from 'bowser';

/** The program of a request whose user agent tells none that can be counted. */
export const OTHER_PROGRAM = 'other';

/** Most characters of a program's name that are kept (the column's width). */
const LONGEST = 32;

/** The product token of RFC 9110 that a user agent begins with, without its version. */
const PRODUCT = /^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]*/;

/** What begins the user agent of every browser says nothing. */
const SAYS_NOTHING = 'mozilla';

/** User agents whose program is remembered: as many as are in use at a time. */
const MAX_REMEMBERED = 500;

/** Longer ones are told apart by their beginning. */
const MAX_USER_AGENT_LENGTH = 512;

const FAMILIES: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

/** Tells programs by their user agents: browsers by their family, the others by their own name. */
export class Programs {
  private readonly remembered = new Map<string, string>();

  /** @param isKnown whether the request carries a credential: nobody else makes up names that are kept. */
  of(userAgent: string | undefined, isKnown: boolean): string {
    const text = (userAgent ?? '').trim().slice(0, MAX_USER_AGENT_LENGTH);
    if (text === '') return OTHER_PROGRAM;
    const program = this.remember(text);
    return isKnown || FAMILIES.has(program) ? program : OTHER_PROGRAM;
  }

  private remember(userAgent: string): string {
    const known = this.remembered.get(userAgent);
    if (known !== undefined) return known;
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    const program = programOf(userAgent);
    this.remembered.set(userAgent, program);
    return program;
  }
}

function programOf(userAgent: string): string {
  const family = Bowser.parse(userAgent).browser.name;
  if (family !== undefined && FAMILIES.has(family)) return family;
  const product = (PRODUCT.exec(userAgent)?.[0] ?? '').toLowerCase().slice(0, LONGEST);
  return product === '' || product === SAYS_NOTHING ? OTHER_PROGRAM : product;
}
