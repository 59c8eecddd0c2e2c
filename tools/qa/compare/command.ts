import { existsSync, realpathSync } from 'node:fs';
import { CLEAR_LINE, printable } from '../terminal';
import { isWritable, writeForOwner } from '../writable';
import { Accepted } from './accepted';
import { Client } from './client';
import { type Credentials, isReadByOthers, readCredentials } from './credentials';
import { Description } from './description';
import { Exchange } from './exchange';
import { RequestFile } from './files/open';
import { BrokenFile } from './files/recorded';
import { htmlOf } from './html';
import { Identifiers } from './identifiers';
import { Logins, type Side } from './logins';
import { type CompareOptions, readCompareOptions } from './options';
import { Pace } from './pace';
import { Planner } from './plan';
import { countLines, jsonOf, type Remarks, reportOf, tableOf } from './report';
import { type Ending, Runner } from './runner';
import { identityOfRun, readRun, removeRun, type SavedRun, savedRunPath, saveRun } from './saved-run';
import { Tallies } from './tallies';
import { watch } from './watching';

/** Exit statuses, as of the rest of the kit. */
const FINE = 0;
const DIFFERENT = 1;
const WRONG_USE = 2;
const INTERRUPTED = 130;

const USAGE = `Usage: npm run qa -- compare --old URL --new URL --requests FILE [--format har|jsonl|log] [--any-host]
         [--all] [--only OPERATION]… [--skip OPERATION]… [--limit NUMBER] [--credentials FILE]
         [--writes --writes-to HOST…] [--clock SECONDS] [--unordered] [--slower-than FACTOR]
         [--rate NUMBER] [--concurrency NUMBER] [--timeout SECONDS] [--resume]
         [--accept FILE] [--to-accept FILE] [--values] [--json] [--json-file FILE] [--html FILE]

Sends recorded requests to two servers and compares the answers (docs/switch-over.md).`;

const tell = (text: string): void => void process.stderr.write(`${CLEAR_LINE}${printable(text)}\n`);

/** Milliseconds that reads in flight get after Ctrl-C. */
const PATIENCE = 5000;
/** Milliseconds between two savings of how far the run is. */
const SAVING = 10_000;

/** Runs `npm run qa -- compare`; gives its exit status. */
export async function compareCommand(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return FINE;
  }
  const options = readCompareOptions(args);
  if (typeof options === 'string') return wrongUse(options);
  const description = Description.read();
  const credentials =
    options.credentials === undefined ? new Map<string, never>() : readCredentials(options.credentials);
  if (typeof credentials === 'string') return wrongUse(credentials);
  const accepted = options.accept === undefined ? new Accepted() : Accepted.read(options.accept);
  if (typeof accepted === 'string') return wrongUse(accepted);
  const problem = problemOf(options, description);
  if (problem !== undefined) return wrongUse(problem);
  const file = await openRequests(options);
  if (typeof file === 'string') return wrongUse(file);
  warn(options);
  return new CompareRun(options, description, credentials, accepted, file).run();
}

/** The file of requests, or what is wrong with it. */
async function openRequests({ requests, format }: CompareOptions): Promise<RequestFile | string> {
  try {
    return await RequestFile.open(requests, format);
  } catch (error) {
    if (error instanceof BrokenFile) return `${requests}: ${error.message}.`;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return `${requests} cannot be read: ${code}.`;
  }
}

function wrongUse(problem: string): number {
  tell(`${problem} --help shows the usage.`);
  return WRONG_USE;
}

function problemOf(options: CompareOptions, description: Description): string | undefined {
  const { only, skip, all, jsonFile, htmlFile, accept, toAccept } = options;
  const unknown = [...only, ...skip].find((name) => description.named(name) === undefined);
  if (unknown !== undefined && !all) return `There is no operation "${unknown}".`;
  // Reasons that somebody wrote are not replaced: that file is read, and written with all that it had.
  if (toAccept !== undefined && existsSync(toAccept) && !isSameFile(toAccept, accept))
    return `${toAccept} exists already: --accept with the same file adds to it.`;
  const unwritable = [jsonFile, htmlFile, toAccept].find((path) => path !== undefined && !isWritable(path));
  return unwritable === undefined ? undefined : `${unwritable} cannot be written.`;
}

const isSameFile = (path: string, other: string | undefined): boolean =>
  other !== undefined && realpathSync(path) === realpathSync(other);

function warn({ all, credentials, requests }: CompareOptions): void {
  if (all)
    tell('--all also sends GETs that no description knows. Some of them may act: look through them before.');
  for (const path of [credentials, requests]) {
    if (path !== undefined && isReadByOthers(path))
      tell(`${path}: others can read this file; chmod 600 keeps it.`);
  }
}

/** One run, from its file to its reports. */
class CompareRun {
  private readonly interruption = new AbortController();
  private readonly sides: Readonly<Record<'old' | 'new', Side>>;
  private readonly savedPath: string;
  private readonly identity: string;
  private isUnsavable = false;

  constructor(
    private readonly options: CompareOptions,
    private readonly description: Description,
    private readonly credentials: Credentials,
    private readonly accepted: Accepted,
    private readonly file: RequestFile,
  ) {
    const {
      concurrency,
      timeout,
      requests,
      json,
      jsonFile,
      htmlFile,
      resume,
      rate,
      accept,
      toAccept,
      ...compared
    } = options;
    const side = (name: 'old' | 'new'): Side => {
      const address = options[name];
      return { name, address, client: new Client(address, timeout, concurrency) };
    };
    this.sides = { old: side('old'), new: side('new') };
    this.savedPath = savedRunPath(requests);
    this.identity = identityOfRun(requests, { ...compared, limit: undefined });
  }

  async run(): Promise<number> {
    const saved = this.options.resume ? readRun(this.savedPath, this.identity) : undefined;
    if (typeof saved === 'string') return wrongUse(saved);
    if (this.options.resume && saved === undefined) tell('No run was stopped here: this one begins anew.');
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.interrupt);
    const logins = new Logins(this.credentials, this.sides, tell, this.interruption.signal);
    try {
      return await this.compare(logins, saved);
    } finally {
      await logins.end();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.interrupt);
      for (const { client } of Object.values(this.sides)) client.close();
    }
  }

  private readonly interrupt = (): void => {
    if (this.interruption.signal.aborted) return;
    tell('Stopping: waiting for answers, ending logins …');
    this.interruption.abort();
    const giveUp = () => Object.values(this.sides).forEach(({ client }) => client.giveUpReads());
    setTimeout(giveUp, PATIENCE).unref();
  };

  private async compare(logins: Logins, saved: SavedRun | undefined): Promise<number> {
    const { options } = this;
    const tallies = saved === undefined ? new Tallies() : Tallies.restored(saved.tallies);
    const identifiers = new Identifiers(saved?.identifiers);
    const { signal } = this.interruption;
    const rules = { ...options, isUnordered: options.unordered, identifiers };
    const exchange = new Exchange(this.sides, logins, rules, options.slowerThan, signal);
    const planner = new Planner(this.description, options, (name) => logins.has(name));
    const runner = new Runner(
      planner,
      exchange,
      logins,
      tallies,
      new Pace(options.rate),
      { ...options, from: saved },
      signal,
      tell,
    );
    const save = () => this.save(runner, tallies, identifiers);
    const saving = setInterval(save, SAVING);
    const unwatch = watch(this.file, tallies, process.stderr);
    let ending: Ending;
    try {
      ending = await runner.run(this.file.entries());
    } finally {
      clearInterval(saving);
      unwatch();
    }
    const isStopped = signal.aborted || ending.failed !== undefined;
    const isSaved = isStopped && save();
    if (!isStopped) removeRun(this.savedPath);
    runner.countFailing();
    return this.report(tallies, ending, isSaved);
  }

  /** False where it cannot be kept, which hinders no comparison. */
  private save(runner: Runner, tallies: Tallies, identifiers: Identifiers): boolean {
    const run = {
      of: this.identity,
      ...runner.progress,
      tallies: tallies.toJSON(),
      identifiers: identifiers.toJSON(),
    };
    try {
      saveRun(this.savedPath, run);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!this.isUnsavable) tell(`${this.savedPath} cannot be written (${code}): --resume will not work.`);
      this.isUnsavable = true;
      return false;
    }
  }

  private report(tallies: Tallies, { failed, broken }: Ending, isSaved: boolean): number {
    const { options } = this;
    const isInterrupted = this.interruption.signal.aborted;
    const report = reportOf(tallies, options, options.slowerThan, this.accepted);
    const { unexplained } = this.accepted;
    const goesOn = isSaved ? ' --resume goes on.' : '';
    const remarks: Remarks = {
      skipped: [...tallies.reasons],
      endings: [
        ...(isInterrupted ? [`Interrupted: the rest was not sent.${goesOn}`] : []),
        ...(failed === undefined ? [] : [`Stopped: ${failed}.${goesOn}`]),
        ...(broken === undefined ? [] : [`The file cannot be read to its end: ${broken}.`]),
        ...(unexplained === 0
          ? []
          : [`${options.accept}: ${unexplained} without a reason, which count as new.`]),
        ...(tallies.reached === 0 && !isInterrupted ? ['Nothing could be sent to both sides.'] : []),
      ],
      statuses: [...tallies.statuses],
      dropped: tallies.droppedDifferences,
      address: options.new,
      besideAddress: tallies.namesBesideAddress,
    };
    const json = jsonOf(report);
    const told = [...(options.json ? countLines(remarks) : []), ...remarks.endings];
    for (const text of told.filter((line) => line !== '')) tell(text);
    process.stdout.write(`${options.json ? json : tableOf(report, remarks)}\n`);
    if (options.jsonFile !== undefined) writeForOwner(options.jsonFile, `${json}\n`);
    if (options.htmlFile !== undefined) writeForOwner(options.htmlFile, htmlOf(report, remarks));
    if (options.toAccept !== undefined)
      writeForOwner(options.toAccept, this.accepted.fileWith(report.differences));
    if (isInterrupted) return INTERRUPTED;
    if (tallies.reached === 0 || broken !== undefined) return WRONG_USE;
    const hasNews =
      tallies.droppedDifferences > 0 || report.differences.some(({ accepted }) => accepted === null);
    return hasNews || failed !== undefined ? DIFFERENT : FINE;
  }
}
