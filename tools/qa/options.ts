import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { MailOptions } from '../../qa/mail/mails';
import { type Variant, VARIANTS } from '../../qa/variants';
import type { ReceiverOptions } from '../../qa/webhook-receiver';
import { firstSentence } from './terminal';

/** The deployment, and the admin to check it as. */
export interface Target {
  readonly url: string;
  readonly variant: Variant;
  readonly adminUsername: string;
  readonly adminPassword: string;
  readonly adminCode?: string;
  readonly mailDomain?: string;
  readonly passkeyOrigin?: string;
  readonly testClock: boolean;
  /** A page of a service behind forward-auth, to check instead of the examples. */
  readonly behind?: string;
  readonly mail: MailOptions;
  readonly receiver?: ReceiverOptions;
}

/** What one run of the command is to do. */
export interface Options {
  /** Areas and operations; none: all. */
  readonly only: readonly string[];
  /** Whether the scenarios are to be listed instead of sent. */
  readonly list: boolean;
  /** Whether results go to standard output as JSON. */
  readonly json: boolean;
  readonly jsonFile?: string;
  readonly junitFile?: string;
  /** Of a list: the variant that it is for; absent: all. */
  readonly variant?: Variant;
  /** Absent for a list, for which nothing is asked. */
  readonly target?: Target;
}

/** What `QA_…` of the environment may say too. */
const OF_TARGET = {
  url: { type: 'string' },
  variant: { type: 'string' },
  'admin-user': { type: 'string' },
  'admin-password': { type: 'string' },
  'admin-code': { type: 'string' },
  'mail-dir': { type: 'string' },
  smtp: { type: 'string' },
  behind: { type: 'string' },
  'mail-domain': { type: 'string' },
  'mail-wait': { type: 'string' },
  'webhook-listen': { type: 'string' },
  'webhook-url': { type: 'string' },
  'passkey-origin': { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

const OF_RUN = {
  only: { type: 'string', multiple: true },
  'test-clock': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'json-file': { type: 'string' },
  junit: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

type TargetValues = Readonly<Partial<Record<keyof typeof OF_TARGET, string>>>;

/** Seconds; a worker that is far behind takes that long. */
const MAIL_WAIT = 60;

/** A call of the command, or what is wrong with it. */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options | string {
  let values;
  try {
    ({ values } = parseArgs({ args: [...args], options: { ...OF_TARGET, ...OF_RUN } }));
  } catch (error) {
    return firstSentence((error as Error).message);
  }
  const { only = [], list, json, 'json-file': jsonFile, junit: junitFile } = values;
  const movesClock = values['test-clock'] || isOn(environment);
  const variant = values.variant ?? environment['QA_VARIANT'];
  if (variant !== undefined && !isVariant(variant)) return NO_VARIANT;
  const target = list ? undefined : readTarget({ ...targetOf(environment), ...values }, movesClock);
  if (typeof target === 'string') return target;
  return { only, list, json, variant, jsonFile, junitFile, target };
}

/** The deployment that `QA_URL`, `QA_VARIANT` and so on name, or what is wrong with them. */
export const targetOfEnvironment = (environment: NodeJS.ProcessEnv): Target | string =>
  readTarget(targetOf(environment), isOn(environment));

const isOn = (environment: NodeJS.ProcessEnv): boolean => environment['QA_TEST_CLOCK'] === 'on';

const nameOf = (option: string): string => `QA_${option.toUpperCase().replaceAll('-', '_')}`;

function targetOf(environment: NodeJS.ProcessEnv): TargetValues {
  const names = Object.keys(OF_TARGET).filter((option) => (environment[nameOf(option)] ?? '') !== '');
  return Object.fromEntries(names.map((option) => [option, environment[nameOf(option)]]));
}

const isVariant = (text: string | undefined): text is Variant => VARIANTS.some((variant) => variant === text);

const NO_VARIANT = `--variant needs ${VARIANTS.join(' or ')}.`;

const isAddress = (text: string | undefined): text is string =>
  text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text);

const baseOf = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '');

function readTarget(values: TargetValues, testClock: boolean): Target | string {
  const { url, variant, 'mail-domain': mailDomain, behind, 'passkey-origin': passkeyOrigin } = values;
  const { 'admin-user': adminUsername, 'admin-password': adminPassword, 'admin-code': adminCode } = values;
  if (!isAddress(url)) return '--url needs an http address.';
  if (!isVariant(variant)) return NO_VARIANT;
  if (!adminUsername || !adminPassword) return '--admin-user and --admin-password are needed.';
  if (behind !== undefined && !isAddress(behind)) return '--behind needs an http address.';
  if (mailDomain !== undefined && !/^[^\s@]+$/.test(mailDomain))
    return '--mail-domain needs what stands behind the @.';
  if (passkeyOrigin !== undefined && !isAddress(passkeyOrigin)) return '--passkey-origin needs an origin.';
  const mail = readMailOptions(values);
  if (typeof mail === 'string') return mail;
  const receiver = readReceiverOptions(values, mail.seconds);
  if (typeof receiver === 'string') return receiver;
  return {
    url: baseOf(url),
    variant,
    adminUsername,
    adminPassword,
    adminCode,
    mail,
    receiver,
    behind,
    mailDomain,
    passkeyOrigin,
    testClock,
  };
}

/** `HOST:PORT` or `PORT`, which is on this machine. */
function placeIn(text: string): { host: string; port: number } | undefined {
  const [, host = '127.0.0.1', port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  return Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

function readReceiverOptions(
  { 'webhook-listen': listen, 'webhook-url': url }: TargetValues,
  seconds: number,
): ReceiverOptions | string | undefined {
  if (url !== undefined && !isAddress(url)) return '--webhook-url needs an http address.';
  if (listen === undefined) return url === undefined ? undefined : '--webhook-url needs --webhook-listen.';
  const place = placeIn(listen);
  if (place === undefined) return '--webhook-listen needs HOST:PORT.';
  return { ...place, url: url ?? `http://${place.host}:${place.port}/`, seconds };
}

function readMailOptions(values: TargetValues): MailOptions | string {
  const { 'mail-dir': folder, smtp, 'mail-wait': wait } = values;
  if (folder !== undefined && smtp !== undefined) return 'Mails are read in one place: --mail-dir or --smtp.';
  const listen = smtp === undefined ? undefined : placeIn(smtp);
  if (smtp !== undefined && listen === undefined) return '--smtp needs HOST:PORT.';
  if (wait !== undefined && !/^[1-9]\d{0,3}$/.test(wait)) return '--mail-wait needs seconds.';
  return { seconds: wait === undefined ? MAIL_WAIT : Number(wait), folder, listen };
}
