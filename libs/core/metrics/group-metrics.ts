import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

type OwnMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What the processes of a group tell each other about metrics. */
type Message =
  /** A member has been asked for the metrics of all. */
  | { readonly kind: 'metrics.wanted'; readonly question: number }
  | { readonly kind: 'metrics.asked'; readonly question: number }
  | { readonly kind: 'metrics.own'; readonly question: number; readonly metrics: OwnMetrics }
  | { readonly kind: 'metrics.all'; readonly question: number; readonly text: string };

/** Milliseconds that a member gets to tell its metrics: of one that hangs counts what it told last. */
const MAX_MEMBER_WAIT = 2000;
/** Milliseconds that the primary gets to tell those of all: more than one of them that hangs takes. */
const MAX_GROUP_WAIT = 4000;

/** Answers to numbered questions, each with a limit of time. */
class Questions<Answer> {
  private readonly open = new Map<number, (answer: Answer | undefined) => void>();
  private last = 0;

  /** @param maxWait milliseconds */
  constructor(private readonly maxWait: number) {}

  /** The answer to the question that `send` sends; undefined when none comes in time. */
  ask(send: (question: number) => void): Promise<Answer | undefined> {
    const question = ++this.last;
    return new Promise((resolve) => {
      const settle = (answer: Answer | undefined): void => {
        clearTimeout(timer);
        this.open.delete(question);
        resolve(answer);
      };
      const timer = setTimeout(() => settle(undefined), this.maxWait);
      this.open.set(question, settle);
      send(question);
    });
  }

  settle(question: number, answer: Answer): void {
    this.open.get(question)?.(answer);
  }
}

/** The metrics of the group that this process is a member of: told to the primary, and asked of it. */
export class GroupMetrics {
  private readonly questions = new Questions<string>(MAX_GROUP_WAIT);

  constructor(private readonly own: Registry) {
    process.on('message', (message: Message) => this.receive(message));
  }

  /** The sum of all members; undefined when the primary does not answer in time. */
  text(): Promise<string | undefined> {
    return this.questions.ask((question) => send({ kind: 'metrics.wanted', question }));
  }

  private receive(message: Message): void {
    if (message.kind === 'metrics.all') this.questions.settle(message.question, message.text);
    if (message.kind !== 'metrics.asked') return;
    void this.own
      .getMetricsAsJSON()
      .then((metrics) => send({ kind: 'metrics.own', question: message.question, metrics }));
  }
}

/** What only grows. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

/**
 * The primary's side: gathers the metrics of the members for whichever of them is asked for all. What a member that has
 * ended counted stays in the sum: Prometheus takes one that shrinks for one that began anew, and would count all of it again.
 */
export class MetricsOfMembers {
  private readonly questions = new Questions<OwnMetrics>(MAX_MEMBER_WAIT);
  /** What each told last. */
  private readonly last = new Map<Worker, OwnMetrics>();
  private ended: OwnMetrics = [];

  /** @param members those that serve right now */
  constructor(private readonly members: () => readonly Worker[]) {}

  /** To be called for each member when it is started. */
  listenTo(member: Worker): void {
    member.on('message', (message: Message) => {
      if (message.kind === 'metrics.own') this.questions.settle(message.question, message.metrics);
      if (message.kind !== 'metrics.wanted') return;
      void this.text().then((text) => {
        if (member.isConnected()) tell(member, { kind: 'metrics.all', question: message.question, text });
      });
    });
    member.once('exit', () => this.keepCounts(member));
  }

  private keepCounts(member: Worker): void {
    const counts = (this.last.get(member) ?? []).filter(({ type }) => GROWING.has(type));
    this.last.delete(member);
    const sum = AggregatorRegistry.aggregate([this.ended, counts]);
    // What it gathers are metrics as `getMetricsAsJSON` tells them, which its types leave out.
    this.ended = sum.getMetricsAsArray() as unknown as OwnMetrics;
  }

  private async text(): Promise<string> {
    await Promise.all(this.members().map((member) => this.ask(member)));
    // Of one that does not answer in time, what it told last.
    return AggregatorRegistry.aggregate([...this.last.values(), this.ended]).metrics();
  }

  private async ask(member: Worker): Promise<void> {
    const metrics = await this.questions.ask((question) => tell(member, { kind: 'metrics.asked', question }));
    if (metrics !== undefined && !member.isDead()) this.last.set(member, metrics);
  }
}

const send = (message: Message): void => void process.send?.(message);
/** A member that is going takes no message any more, and its question times out. */
const tell = (member: Worker, message: Message): void => void member.send(message, () => undefined);
