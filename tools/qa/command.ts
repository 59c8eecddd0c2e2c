import { writeFileSync } from 'node:fs';
import { Deployment } from '../../qa/deployment';
import { openMails } from '../../qa/mail/mails';
import { inSession, type RunReport, runScenarios, type Work } from '../../qa/run';
import { listed, listText, type Scenario, selected, unknownNames } from '../../qa/scenario';
import { SCENARIOS } from '../../qa/scenarios/all';
import { EXPIRY_SCENARIOS } from '../../qa/scenarios/expiry.scenarios';
import { DELIVERY_SCENARIOS } from '../../qa/scenarios/webhooks.scenarios';
import { CannotBegin } from '../../qa/session';
import { VARIANTS } from '../../qa/variants';
import { WebhookReceiver } from '../../qa/webhook-receiver';
import { checkBehind } from './behind';
import { checkVariant } from './deployed-variant';
import { type Options, readOptions, type Target } from './options';
import { withProgress } from './progress';
import { jsonOf, junitOf, tableOf } from './report';
import { CLEAR_LINE, printable } from './terminal';
import { isWritable } from './writable';

/**
 * Exit statuses: everything as described; a difference, or something left behind; wrong use, nothing checked.
 */
const FINE = 0;
const DIFFERENT = 1;
const WRONG_USE = 2;
/** 128 + SIGINT, as shells tell it. */
const INTERRUPTED = 130;

/** Those of the clock come last: they end logins. */
const ALL: readonly Scenario[] = [...SCENARIOS, ...DELIVERY_SCENARIOS, ...EXPIRY_SCENARIOS];

/** What a deployment can be sent. */
const sendable = ({ testClock, receiver }: Target): readonly Scenario[] => [
  ...SCENARIOS,
  ...(receiver === undefined ? [] : DELIVERY_SCENARIOS),
  ...(testClock ? EXPIRY_SCENARIOS : []),
];

const USAGE = `Usage: npm run qa -- --url URL --variant ${VARIANTS.join('|')} --admin-user NAME --admin-password PASSWORD
         [--admin-code CODE] [--mail-dir FOLDER | --smtp HOST:PORT]
         [--mail-domain DOMAIN] [--mail-wait SECONDS] [--passkey-origin ORIGIN]
         [--test-clock] [--behind URL] [--webhook-listen HOST:PORT [--webhook-url URL]]
         [--only AREA|OPERATION]… [--json] [--json-file FILE] [--junit FILE]
       npm run qa -- --list [--variant ${VARIANTS.join('|')}] [--only AREA|OPERATION]… [--json]
       npm run qa -- compare --old URL --new URL --requests FILE … (docs/switch-over.md)

Checks a running deployment against the written examples, only over HTTP, and takes away what it made.
With --behind it sends no examples. It checks whom another service lets in that stands behind the deployment's
forward-auth: URL is a page there which shows whose it is, and at which a POST does no harm.
Areas: ${[...new Set(ALL.map(({ area }) => area))].join(', ')}`;

const tell = (text: string): void => void process.stderr.write(`${CLEAR_LINE}${printable(text)}\n`);

/** A run that waits without a word would look like a fault. */
const showWait = (seconds: number): void =>
  tell(`The service takes no more calls of this kind in this minute: going on in ${seconds} s …`);

/** Runs the command; gives its exit status. */
export async function qaCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return FINE;
  }
  const options = readOptions(args, environment);
  const problem = typeof options === 'string' ? options : problemOf(options);
  if (typeof options === 'string' || problem !== undefined) {
    tell(`${problem} --help shows the usage.`);
    return WRONG_USE;
  }
  const { target, only } = options;
  if (target !== undefined) {
    const { behind } = target;
    const scenarios = selected(sendable(target), only);
    const examples = withProgress(runScenarios(scenarios), scenarios, process.stderr);
    return check(target, behind === undefined ? examples : checkBehind(behind), options);
  }
  const list = listed(selected(ALL, only), options.variant);
  process.stdout.write(`${options.json ? JSON.stringify(list, null, 2) : listText(list)}\n`);
  return FINE;
}

/** The first problem with the options, if any. */
function problemOf({ only, target, jsonFile, junitFile }: Options): string | undefined {
  const [unknown] = unknownNames(ALL, only);
  if (unknown !== undefined) return `There is no area "${unknown}", and no operation.`;
  if (target?.behind !== undefined && only.length > 0) return '--only chooses examples; --behind sends none.';
  const [unsendable] = target === undefined ? [] : unknownNames(sendable(target), only);
  if (unsendable !== undefined) {
    const isOfClock = unknownNames(EXPIRY_SCENARIOS, [unsendable]).length === 0;
    return `${unsendable} needs ${isOfClock ? '--test-clock' : '--webhook-listen'}.`;
  }
  const unwritable = [jsonFile, junitFile].find((file) => file !== undefined && !isWritable(file));
  return unwritable === undefined ? undefined : `${unwritable} cannot be written.`;
}

async function check(target: Target, work: Work, options: Options): Promise<number> {
  const interruption = new AbortController();
  const interrupt = () => {
    if (!interruption.signal.aborted) tell('Stopping: taking away what was made …');
    interruption.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    const report = await reportOn(target, work, interruption.signal);
    process.stdout.write(`${options.json ? jsonOf(report) : tableOf(report)}\n`);
    if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, `${jsonOf(report)}\n`);
    if (options.junitFile !== undefined) writeFileSync(options.junitFile, junitOf(report));
    if (report.interrupted) return INTERRUPTED;
    const fine = report.left.length === 0 && report.results.every(({ outcome }) => outcome !== 'failed');
    return fine ? FINE : DIFFERENT;
  } catch (error) {
    if (!(error instanceof CannotBegin)) throw error;
    tell(`${target.url}: ${error.message}`);
    return interruption.signal.aborted ? INTERRUPTED : WRONG_USE;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

async function reportOn(
  { url, mail, receiver: listening, ...session }: Target,
  work: Work,
  stopping: AbortSignal,
): Promise<RunReport> {
  const mails = await openMails(mail, stopping).catch((error: unknown) => {
    throw new CannotBegin(`Could not read mails: ${(error as Error).message}`);
  });
  const receiver =
    listening &&
    (await WebhookReceiver.open(listening, stopping).catch((error: unknown) => {
      throw new CannotBegin(`Could not receive webhooks: ${(error as Error).message}`);
    }));
  try {
    const deployment = new Deployment(url, showWait);
    await checkVariant(deployment, session.variant);
    return await inSession(work, deployment, { ...session, mails, receiver }, stopping);
  } finally {
    await mails?.close();
    await receiver?.close();
  }
}
