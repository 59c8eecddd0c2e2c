import { parseArgs } from 'node:util';
import { SCENARIOS } from '../test/contract/scenarios';
import { VARIANTS, type Variant } from '../test/support/variants';
import { Deployment } from './deployment';
import { jsonOf, tableOf } from './report';
import { runScenarios } from './run';
import { CannotBegin } from './session';

/** Exit statuses: everything as described; a difference, or something left behind; wrong use, nothing checked. */
const FINE = 0;
const DIFFERENT = 1;
const WRONG_USE = 2;
/** 128 + SIGINT, as shells tell it. */
const INTERRUPTED = 130;

const USAGE = `Usage: npm run qa -- --url URL --variant ${VARIANTS.join('|')} --admin-user NAME --admin-password PASSWORD
         [--admin-code CODE] [--only AREA]… [--json]

Checks a running deployment against the written examples, over HTTP alone, and takes away what it made.
Areas: ${[...new Set(SCENARIOS.map(({ area }) => area))].join(', ')}`;

const tell = (text: string): void => void process.stderr.write(`${text}\n`);

interface Request {
  readonly url: string;
  readonly variant: Variant;
  readonly adminUsername: string;
  readonly adminPassword: string;
  readonly adminCode?: string;
  readonly areas: readonly string[];
  readonly json: boolean;
}

/** Runs the command; gives its exit status. */
export async function qaCommand(args: readonly string[]): Promise<number> {
  const asked = readArguments(args);
  if (typeof asked === 'string') {
    tell(`${asked}\n\n${USAGE}`);
    return WRONG_USE;
  }
  const { url, areas, json, ...options } = asked;
  const scenarios = SCENARIOS.filter(({ area }) => areas.length === 0 || areas.includes(area));
  let interrupted = false;
  const interrupt = () => {
    if (!interrupted) tell('Stopping: taking away what was made …');
    interrupted = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    const report = await runScenarios(scenarios, new Deployment(url), options, () => interrupted);
    process.stdout.write(`${json ? jsonOf(report) : tableOf(report)}\n`);
    if (report.interrupted) return INTERRUPTED;
    const fine = report.left.length === 0 && report.results.every(({ outcome }) => outcome !== 'failed');
    return fine ? FINE : DIFFERENT;
  } catch (error) {
    if (!(error instanceof CannotBegin)) throw error;
    tell(`${url}: ${error.message}`);
    return WRONG_USE;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

const isVariant = (text: string | undefined): text is Variant => VARIANTS.some((variant) => variant === text);

/** What is asked for, or what is wrong with it. */
function readArguments(args: readonly string[]): Request | string {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        variant: { type: 'string' },
        'admin-user': { type: 'string' },
        'admin-password': { type: 'string' },
        'admin-code': { type: 'string' },
        only: { type: 'string', multiple: true },
        json: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return (error as Error).message;
  }
  const { url, variant, only = [], json } = values;
  const { 'admin-user': adminUsername, 'admin-password': adminPassword, 'admin-code': adminCode } = values;
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url))
    return '--url needs an http address.';
  if (!isVariant(variant)) return `--variant needs ${VARIANTS.join(' or ')}.`;
  if (!adminUsername || !adminPassword) return '--admin-user and --admin-password are needed.';
  const unknown = only.find((area) => !SCENARIOS.some((scenario) => scenario.area === area));
  if (unknown !== undefined) return `There is no area "${unknown}".`;
  return {
    url: url.replace(/\/+$/, '').replace(/\/v1$/, ''),
    variant,
    adminUsername,
    adminPassword,
    ...(adminCode !== undefined && { adminCode }),
    areas: only,
    json,
  };
}
