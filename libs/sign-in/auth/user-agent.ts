import { parse } from 'bowser';

/** Width of the columns. */
const LONGEST = 128;

/** Operating system and browser of a user agent, each with its version; empty if unknown. */
export function describeUserAgent(userAgent: string): { os: string; browser: string } {
  // bowser throws for an empty text.
  if (userAgent.trim() === '') return { os: '', browser: '' };
  const { os, browser } = parse(userAgent);
  // Windows has the version `NT 10.0` and the name `10`; other systems have the reverse
  // (macOS `14.2`, `Sonoma`).
  const osVersion = os.name === 'Windows' ? (os.versionName ?? os.version) : os.version;
  return { os: named(os.name, osVersion), browser: named(browser.name, browser.version) };
}

const named = (name: string | undefined, version: string | undefined): string =>
  [name, version]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .slice(0, LONGEST);
