import { type Answers, isAnswer, type Result, verdictOn } from './answers';
import type { Pair } from './credentials';
import type { Rules } from './differences';
import { parseExactly } from './exact-json';
import type { Logins, Side, SideName } from './logins';
import { shownName, shownPath } from './masks';
import { isTooMany, mayAskAgain } from './pace';
import type { Planned } from './plan';
import type { Sent } from './tallies';

/** Milliseconds that count as slow at least: shorter ones are those of the machine. */
const LEAST_SLOWNESS = 25;

/** Operations whose answer is a login, and the one that ends it. */
const LOGINS = new Set(['POST /login', 'POST /softlogin', 'POST /activate2fa', 'POST /login/passkey']);
const LOGOUT = 'POST /logout';

/** What both sides answered to a request, judged. */
export interface Exchanged {
  readonly sent: Sent;
  readonly failures: Readonly<Record<SideName, string | undefined>>;
}

/** Sends a request to both sides, and compares the answers. */
export class Exchange {
  constructor(
    private readonly sides: Readonly<Record<SideName, Side>>,
    private readonly logins: Logins,
    private readonly rules: Rules,
    private readonly slowerThan: number | undefined,
    private readonly stopping: AbortSignal,
  ) {}

  async send(planned: Planned, pair: Pair | undefined): Promise<Exchanged> {
    const answers = await this.ask(planned, pair);
    if (planned.isWrite) await this.learn(planned, answers);
    const { outcome, differences } = verdictOn(answers, this.rules);
    const olds = [answers.old, ...(answers.oldAgain === undefined ? [] : [answers.oldAgain])];
    const milliseconds = { old: timesOf(olds), new: timesOf([answers.new]) };
    const { operation, method, path, as } = planned;
    const example = {
      method,
      path: shownPath(path, operation.path),
      as: as === undefined ? null : shownName(as),
    };
    const status = isAnswer(answers.old) ? answers.old.status : null;
    const isReached = olds.some(hasArrived) && hasArrived(answers.new);
    const isSlow = this.isSlow(milliseconds.old, milliseconds.new);
    return {
      sent: { operation, outcome, differences, example, status, milliseconds, isSlow, isReached },
      failures: { old: failureOf(answers.old), new: failureOf(answers.new) },
    };
  }

  /** Between the two answers of the old server, so that what changes meanwhile shows as its noise. */
  private async ask(planned: Planned, pair: Pair | undefined): Promise<Answers> {
    const ask = (name: SideName) => this.askSide(this.sides[name], planned, pair?.[name]);
    let old = await ask('old');
    let fresh = await ask('new');
    if (await this.shallAskAgain(fresh, old)) fresh = await ask('new');
    if (await this.shallAskAgain(old, fresh)) old = await ask('old');
    if (planned.isWrite) return { old, new: fresh };
    let oldAgain = await ask('old');
    if (await this.shallAskAgain(oldAgain, fresh)) oldAgain = await ask('old');
    return { old, oldAgain, new: fresh };
  }

  private askSide(
    { name, client, address }: Side,
    planned: Planned,
    authorization: string | undefined,
  ): Promise<Result> {
    const { method, line, headers, body, operation, isWrite } = planned;
    const { identifiers } = this.rules;
    const isNew = name === 'new';
    const sentBody = isNew && body !== undefined ? identifiers.bodyOnNew(body) : body;
    return client.send({
      method,
      path: address.pathOf(isNew ? identifiers.pathOnNew(line) : line, operation.countsFromServer),
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      ...(sentBody !== undefined && { body: sentBody }),
      isRead: !isWrite,
    });
  }

  /** Waits where one side alone limits how often it is asked: that is no difference between the servers. */
  private async shallAskAgain(result: Result, other: Result): Promise<boolean> {
    const isAlone = isTooMany(result) && !isTooMany(other);
    return isAlone && (await mayAskAgain(result, this.stopping));
  }

  private async learn({ operation, method, path, as }: Planned, answers: Answers): Promise<void> {
    const { old, new: fresh } = answers;
    if (!isAnswer(old) || !isAnswer(fresh)) return;
    if (LOGINS.has(operation.name)) await this.logins.remember({ old, new: fresh });
    if (operation.name === LOGOUT && as !== undefined) this.logins.forget(as);
    if (method !== 'POST' || old.body === undefined || fresh.body === undefined) return;
    const [before, after] = [parseExactly(old.body.toString()), parseExactly(fresh.body.toString())];
    if (before !== undefined && after !== undefined)
      this.rules.identifiers.learn(before.value, after.value, path);
  }

  private isSlow(old: readonly number[], fresh: readonly number[]): boolean {
    const [time] = fresh;
    if (this.slowerThan === undefined || time === undefined || old.length === 0) return false;
    const usual = Math.max(...old);
    return time > usual * this.slowerThan && time - usual >= LEAST_SLOWNESS;
  }
}

/** Failures before anything was sent. */
const NOT_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPROTO|ERR_SSL|ERR_TLS|.*(?:CERT|SELF_SIGNED))/;

const hasArrived = (result: Result): boolean => isAnswer(result) || !NOT_SENT.test(result.failure);

const timesOf = (results: readonly Result[]): number[] =>
  results.filter(isAnswer).map(({ milliseconds }) => milliseconds);

/** Statuses of a server that is not there for its gateway. */
const GONE = new Set([502, 503, 504]);

function failureOf(result: Result): string | undefined {
  if (!isAnswer(result)) return result.failure;
  return result.broken ?? (GONE.has(result.status) ? `status ${result.status}` : undefined);
}
