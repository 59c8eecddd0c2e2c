import { withPanel } from '@app/formats/panel-link';
import { environment, textOf } from './env';
import { SETTING_NAMES } from './setting-table';
import type { Settings } from './settings';

/** Below this cost, guessing the password of a stolen hash is cheap. */
const LEAST_SAFE_BCRYPT_COST = 10;

/** Warnings about settings that are allowed but unsafe or unusual for a service with users. */
export function startWarnings(settings: Settings, env = environment): string[] {
  const { databaseUrl, smtpUrl, bcryptCost } = settings;
  const warnings: string[] = [];
  for (const name of Object.keys(env)) {
    const meant = meantSetting(name);
    if (meant !== undefined) warnings.push(`unknown setting ${name}; did you mean ${meant}?`);
  }
  if (databaseUrl !== undefined && bcryptCost < LEAST_SAFE_BCRYPT_COST) {
    warnings.push(
      `BCRYPT_COST is ${bcryptCost}: below ${LEAST_SAFE_BCRYPT_COST} the passwords of stolen hashes are guessed quickly`,
    );
  }
  if (textOf(env, 'LOGIN_IDLE_TTL') !== '' && settings.loginIdleTtl > settings.loginMaxTtl)
    warnings.push('LOGIN_IDLE_TTL has no effect: LOGIN_MAX_TTL is shorter and ends every login first');
  if (settings.testClock)
    warnings.push('TEST_CLOCK is on: admins can move the clock of this service, which is only for tests');
  if (databaseUrl === undefined && smtpUrl === undefined) return warnings;
  return [...warnings, ...mailWarnings(settings, env)];
}

/** What people miss on pages and in mails without these settings. */
const LINK_TARGETS = { PANEL_URL: 'end without a way to log in', SUPPORT_URL: 'name nobody to ask' } as const;

/** Warnings about what the readers of mails get. */
function mailWarnings(settings: Settings, env: NodeJS.ProcessEnv): string[] {
  const warnings: string[] = [];
  const isSet = (name: string): boolean => textOf(env, name) !== '';
  if (settings.smtpUrl !== undefined && !isSet('MAIL_FROM'))
    warnings.push(`MAIL_FROM not set: mails leave as ${settings.mailFrom}, which nobody can answer`);
  for (const [name, missed] of Object.entries(LINK_TARGETS))
    if (settings.smtpUrl !== undefined && !isSet(name))
      warnings.push(`${name} not set: pages and mails ${missed}, unless the brand of organisation 1 has it`);
  const links = linksOf(settings);
  const local = Object.keys(links).filter((name) => isLocal(links[name]));
  const missing = local.filter((name) => !isSet(name));
  const given = local.filter(isSet);
  if (missing.length > 0) warnings.push(`${listed(missing)} not set: links in mails lead to localhost`);
  if (given.length > 0)
    warnings.push(`${listed(given)} on localhost: links in mails open on this machine alone`);
  const { loginUrlTemplate = '', panelUrl } = settings;
  const carrying: typeof links = { ...links, LOGIN_URL_TEMPLATE: withPanel(loginUrlTemplate, panelUrl) };
  const clear = Object.keys(carrying).filter((name) => isSet(name) && isInClear(carrying[name]));
  if (clear.length > 0)
    warnings.push(
      `${listed(clear)} without https: passwords and the tokens of links cross the network in clear`,
    );
  return warnings;
}

/**
 * The settings that links in mails begin with. With pages, links without a template begin with PUBLIC_URL.
 */
function linksOf(settings: Settings): Readonly<Record<string, string>> {
  const templates = {
    RESET_URL_TEMPLATE: settings.resetUrlTemplate,
    INVITATION_URL_TEMPLATE: settings.invitationUrlTemplate,
    USERNAME_URL_TEMPLATE: settings.usernameUrlTemplate,
  };
  const page = `${settings.publicUrl}/account/`;
  const own = Object.entries(templates)
    .filter(([, template]) => !template.startsWith(page))
    .map(([name, template]) => [name, withPanel(template, settings.panelUrl)] as const);
  return { ...Object.fromEntries(own), PUBLIC_URL: settings.publicUrl };
}

const hostOf = (url: string): string => new URL(url.replaceAll(/[{}]/g, '')).hostname;

const isLocal = (url = ''): boolean => /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostOf(url));

const isInClear = (url = ''): boolean => url.startsWith('http:') && !isLocal(url);

/** `A, B and C`. */
const listed = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);

/**
 * Shorter names are not compared: a variable of another program, such as PORTS,
 * would look like a misspelling.
 */
const SHORTEST_MISSPELT = 7;

/**
 * The setting whose name differs from a variable by one letter (added, missing or changed)
 * or by two swapped letters.
 */
function meantSetting(name: string): string | undefined {
  if (SETTING_NAMES.includes(name)) return undefined;
  return SETTING_NAMES.find((setting) => setting.length >= SHORTEST_MISSPELT && isMisspelt(name, setting));
}

function isMisspelt(name: string, setting: string): boolean {
  if (Math.abs(name.length - setting.length) > 1) return false;
  let start = 0;
  while (start < name.length && name[start] === setting[start]) start++;
  const rest = name.slice(start);
  const wanted = setting.slice(start);
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return (
    isSwapped || [rest.slice(1), rest].some((tail) => tail === wanted.slice(1)) || rest.slice(1) === wanted
  );
}
