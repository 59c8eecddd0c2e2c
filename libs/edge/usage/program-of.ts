import Bowser from 'bowser';

/** The program of requests without a usable user agent. */
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

/** Product names of libraries and tools, and of known clients of this API. */
const LIBRARIES: ReadonlySet<string> = new Set([
  'aiohttp',
  'apache-httpclient',
  'axios',
  'curl',
  'dart',
  'faraday',
  'go-http-client',
  'got',
  'guzzlehttp',
  'insomnia',
  'java',
  'java-http-client',
  'level27_lvl',
  'libwww-perl',
  'node',
  'node-fetch',
  'node-superagent',
  'okhttp',
  'php',
  'postmanruntime',
  'python-httpx',
  'python-requests',
  'python-urllib',
  'restsharp',
  'ruby',
  'symfony',
  'terraform',
  'undici',
  'wget',
]);

/** Finds the program of a user agent: a browser family, a library, or the product name of another client. */
export class Programs {
  private readonly cache = new Map<string, string>();

  /**
   * @param isKnown whether the request has a valid credential: only such requests may add new product names
   */
  of(userAgent: string | undefined, isKnown: boolean): string {
    const text = (userAgent ?? '').trim().slice(0, MAX_USER_AGENT_LENGTH);
    if (text === '') return OTHER_PROGRAM;
    const program = this.cached(text);
    return isKnown || FAMILIES.has(program) || LIBRARIES.has(program) ? program : OTHER_PROGRAM;
  }

  private cached(userAgent: string): string {
    const known = this.cache.get(userAgent);
    if (known !== undefined) return known;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    const program = programOf(userAgent);
    this.cache.set(userAgent, program);
    return program;
  }
}

function programOf(userAgent: string): string {
  const family = Bowser.parse(userAgent).browser.name;
  if (family !== undefined && FAMILIES.has(family)) return family;
  const product = (PRODUCT.exec(userAgent)?.[0] ?? '').toLowerCase().slice(0, LONGEST);
  return product === '' || product === COMMON_PRODUCT ? OTHER_PROGRAM : product;
}
