import { parseArgs, type ParseArgsConfig } from 'node:util';
import { firstSentence } from '../terminal';
import { ServerAddress } from './addresses';
import { type Format, FORMATS } from './files/open';

/** What one run is to compare, and how. */
export interface CompareOptions {
  readonly old: ServerAddress;
  readonly new: ServerAddress;
  readonly requests: string;
  readonly format?: Format;
  readonly anyHost: boolean;
  readonly all: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Requests to send. */
  readonly limit: number;
  readonly credentials?: string;
  readonly writes: boolean;
  /** Seconds that two moments may lie apart. */
  readonly clock: number;
  readonly unordered: boolean;
  readonly slowerThan?: number;
  readonly rate: number;
  readonly concurrency: number;
  readonly timeout: number;
  readonly resume: boolean;
  /** A file of differences that were seen and agreed on. */
  readonly accept?: string;
  /** Where such a file is written from the differences of the run. */
  readonly toAccept?: string;
  /** Whether reports show what texts say. */
  readonly values: boolean;
  readonly json: boolean;
  readonly jsonFile?: string;
  readonly htmlFile?: string;
}

const OPTIONS = {
  old: { type: 'string' },
  new: { type: 'string' },
  requests: { type: 'string' },
  format: { type: 'string' },
  'any-host': { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  skip: { type: 'string', multiple: true },
  limit: { type: 'string' },
  credentials: { type: 'string' },
  writes: { type: 'boolean', default: false },
  'writes-to': { type: 'string', multiple: true },
  clock: { type: 'string' },
  unordered: { type: 'boolean', default: false },
  'slower-than': { type: 'string' },
  rate: { type: 'string' },
  concurrency: { type: 'string' },
  timeout: { type: 'string' },
  resume: { type: 'boolean', default: false },
  accept: { type: 'string' },
  'to-accept': { type: 'string' },
  values: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'json-file': { type: 'string' },
  html: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

/** Requests of the file a second: each read is sent to production twice. */
const RATE = 5;
const CONCURRENCY = 4;
const CLOCK = 5;
const TIMEOUT = 30;

const MOST_CONCURRENCY = 64;
const MOST_RATE = 10_000;
const LONGEST_TIMEOUT = 600;
const LONGEST_CLOCK = 86_400;
const MOST_FACTOR = 1000;

/** Wrong use, in words for whoever started the command. */
class WrongUse extends Error {}

/** A call of the command, or what is wrong with it. */
export function readCompareOptions(args: readonly string[]): CompareOptions | string {
  try {
    return read(parseArgs({ args: [...args], options: OPTIONS }).values);
  } catch (error) {
    if (error instanceof WrongUse) return error.message;
    if (error instanceof TypeError) return firstSentence(error.message);
    throw error;
  }
}

type Values = ReturnType<typeof parseArgs<{ args: string[]; options: typeof OPTIONS }>>['values'];

function read(values: Values): CompareOptions {
  const old = addressIn(values.old, '--old');
  const fresh = addressIn(values.new, '--new');
  const { requests, writes } = values;
  if (requests === undefined || requests === '') throw new WrongUse('--requests needs a file.');
  checkWrites(writes, values['writes-to'] ?? [], [old, fresh]);
  return {
    old,
    new: fresh,
    requests,
    format: formatIn(values.format),
    anyHost: values['any-host'],
    all: values.all,
    only: values.only ?? [],
    skip: values.skip ?? [],
    limit:
      values.limit === undefined ? Infinity : wholeNumberIn(values.limit, '--limit', Number.MAX_SAFE_INTEGER),
    credentials: values.credentials,
    writes,
    clock: numberIn(values.clock, '--clock', { usual: CLOCK, least: 0, most: LONGEST_CLOCK }),
    unordered: values.unordered,
    slowerThan:
      values['slower-than'] === undefined
        ? undefined
        : numberIn(values['slower-than'], '--slower-than', { usual: 1, least: 1, most: MOST_FACTOR }),
    rate: numberIn(values.rate, '--rate', { usual: RATE, least: 0.01, most: MOST_RATE }),
    concurrency:
      values.concurrency === undefined
        ? CONCURRENCY
        : wholeNumberIn(values.concurrency, '--concurrency', MOST_CONCURRENCY),
    timeout: numberIn(values.timeout, '--timeout', { usual: TIMEOUT, least: 0.1, most: LONGEST_TIMEOUT }),
    resume: values.resume,
    accept: values.accept,
    toAccept: values['to-accept'],
    values: values.values,
    json: values.json,
    jsonFile: values['json-file'],
    htmlFile: values.html,
  };
}

function addressIn(text: string | undefined, option: string): ServerAddress {
  const address = ServerAddress.read(text);
  if (address !== undefined) return address;
  throw new WrongUse(`${option} needs an http address without password, query and fragment.`);
}

function formatIn(text: string | undefined): Format | undefined {
  if (text === undefined) return undefined;
  const format = FORMATS[text.toLowerCase()];
  if (format === undefined) throw new WrongUse('--format needs har, jsonl or log.');
  return format;
}

function wholeNumberIn(text: string, option: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= most) return number;
  throw new WrongUse(
    `${option} needs a whole number${most < Number.MAX_SAFE_INTEGER ? ` from 1 to ${most}` : ' above 0'}.`,
  );
}

function numberIn(
  text: string | undefined,
  option: string,
  { usual, least, most }: Readonly<Record<'usual' | 'least' | 'most', number>>,
): number {
  if (text === undefined) return usual;
  const number = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && number >= least && number <= most) return number;
  throw new WrongUse(`${option} needs a number from ${least} to ${most}.`);
}

/** Writes go to copies: whoever sends them names the hosts of both sides. */
function checkWrites(writes: boolean, named: readonly string[], addresses: readonly ServerAddress[]): void {
  const hosts = new Set(
    named
      .flatMap((text) => text.split(','))
      .map(hostIn)
      .filter((host) => host !== ''),
  );
  if (!writes) {
    if (hosts.size > 0) throw new WrongUse('--writes-to needs --writes.');
    return;
  }
  const missing = addresses.filter(({ host, hostname }) => !hosts.has(host) && !hosts.has(hostname));
  if (missing.length === 0) return;
  const list = missing.map(({ host }) => host).join(' and ');
  throw new WrongUse(
    `--writes sends writes only to hosts that --writes-to names, which must be copies: it does not name ${list}.`,
  );
}

/** A host, with a port or without; an address names its host. */
const hostIn = (text: string): string => {
  const trimmed = text.trim().toLowerCase();
  return ServerAddress.read(trimmed)?.host ?? trimmed;
};
