import { BROWSER_MAP, OS_MAP } from 'bowser';

/** The first one or two numbers of a version. */
const VERSION = /^\d{1,4}(\.\d{1,4})?(?![^.])/;

/** Windows versions that are words instead of numbers. */
const WORDS = new Set(['XP', 'Vista', 'ME', 'NT', 'CE']);

/** Longest first, because `Chrome OS` begins with `Chrome`. */
const longestFirst = (names: readonly string[]): readonly string[] =>
  names.toSorted((one, other) => other.length - one.length);

const SYSTEMS = longestFirst(Object.values(OS_MAP));
const BROWSERS = longestFirst(Object.values(BROWSER_MAP));

/**
 * A known name with the start of its version, or an empty text. Clients choose their user agents, so no other
 * part of it gets into a mail or a page.
 */
function recognised(text: string, names: readonly string[]): string {
  const name = names.find((known) => text === known || text.startsWith(`${known} `));
  if (name === undefined) return '';
  const rest = text.slice(name.length + 1);
  const version = WORDS.has(rest) ? rest : VERSION.exec(rest)?.[0];
  return version === undefined ? name : `${name} ${version}`;
}

/** The operating system of a login, if its name is known. */
export const recognisedSystem = (os: string): string => recognised(os, SYSTEMS);

/** The browser of a login, if its name is known. */
export const recognisedBrowser = (browser: string): string => recognised(browser, BROWSERS);
