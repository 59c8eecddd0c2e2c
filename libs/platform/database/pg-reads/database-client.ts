import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { READ_ONLY, SilentDatabase } from '../connection-errors';
import type { DatabaseHosts } from '../database-hosts';

/** Milliseconds of silence before the system probes the other side. It gives up 10 s later. */
const KEEP_ALIVE_DELAY = 10_000;

/** Milliseconds between two looks whether an answer is overdue. A timer for each statement costs more. */
const CHECK_INTERVAL = 250;

/** Milliseconds in which a connection says farewell. A frozen server never answers. */
const END_TIME = 5000;

type DriverError = Error & { readonly code?: string };
type Callback = (error: DriverError | null, result?: unknown) => void;

/** The driver's `query` in all its forms: with a callback at the end, or with a promise. */
type AnyQuery = (text: unknown, values?: unknown, callback?: Callback) => unknown;

interface DatabaseClientConfig extends ClientConfig {
  readonly hosts: DatabaseHosts;
  /** Milliseconds, see `DatabaseLimits`; 0 for no limit. */
  readonly socketTimeout: number;
}

/**
 * A connection on a socket of our own, which ends if the server owes an answer for too long. A frozen server
 * does not observe its own `statement_timeout`. The driver's `query_timeout` ends only the statement, so the
 * next one would get a stuck connection.
 */
export class DatabaseClient extends Client {
  /** The server that it is connected to. */
  readonly url: string;
  /** Whether the server accepts no writes. After a failover the old server may stay reachable. */
  isReadOnly = false;
  /** Whether the server has let the connection in; its pool says so. */
  isOpen = false;
  private readonly socket: Socket;
  private answerTime: number;
  private isGathering = false;
  /** Statements without an answer. */
  private unanswered = 0;
  /** When the first of them was sent, or the last answer came, in milliseconds of `performance.now()`. */
  private since = 0;

  constructor(config: DatabaseClientConfig) {
    const url = config.hosts.current;
    const socket = new Socket();
    super({
      ...config,
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
      stream: () => socket,
    });
    this.url = url;
    this.socket = socket;
    this.answerTime = config.socketTimeout;
    // The driver's types have nine forms of this method, which one override cannot repeat.
    const ask: AnyQuery = (...asked) => (super.query as AnyQuery).apply(this, asked);
    const inTime: AnyQuery = (text, values, callback) => this.askInTime(ask, text, values, callback);
    this.query = inTime as typeof this.query;
    // Without a listener, a broken connection would end the process. Its next query fails anyway.
    this.on('error', () => undefined);
    const timer = setInterval(() => this.checkAnswer(), CHECK_INTERVAL).unref();
    socket.once('close', () => {
      clearInterval(timer);
      if (!this.isOpen) config.hosts.skip(url);
    });
  }

  /**
   * Sets the milliseconds for each further statement, from its start to its last row; 0 for no limit.
   * The pool sets its own value again at the next acquire.
   */
  setSocketTimeout(milliseconds: number): void {
    this.answerTime = milliseconds;
  }

  get bytesRead(): number {
    return this.socket.bytesRead;
  }

  /** Ends the connection at once, with its running statements. */
  cut(reason?: Error): void {
    this.socket.destroy(reason);
  }

  /** Whether the connection has been cut. Its pool notices only at the end of this turn of the event loop. */
  get isCut(): boolean {
    return this.socket.destroyed;
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const timer = setTimeout(() => this.cut(), END_TIME).unref();
    this.socket.once('close', () => clearTimeout(timer));
    return callback === undefined ? super.end() : super.end(callback);
  }

  /** Statements of one turn of the event loop leave in one piece: a piece is a call of the system. */
  private gather(): void {
    if (this.isGathering) return;
    this.isGathering = true;
    this.socket.cork();
    setImmediate(() => {
      this.isGathering = false;
      this.socket.uncork();
    });
  }

  private askInTime(ask: AnyQuery, text: unknown, values?: unknown, callback?: Callback): unknown {
    if (this.pipeline) this.gather();
    if (this.unanswered++ === 0) this.since = performance.now();
    const tell = typeof values === 'function' ? (values as Callback) : callback;
    if (tell === undefined) {
      const answer = ask(text, values) as Promise<unknown>;
      answer.then(
        () => this.noteAnswer(null),
        (error: DriverError) => this.noteAnswer(error),
      );
      return answer;
    }
    return ask(text, typeof values === 'function' ? undefined : values, (error, result) => {
      this.noteAnswer(error);
      tell(error, result);
    });
  }

  private noteAnswer(error: DriverError | null): void {
    this.unanswered--;
    if (this.unanswered > 0) this.since = performance.now();
    if (error?.code === READ_ONLY) this.isReadOnly = true;
  }

  /** Whether the server owes an answer. */
  get isWaiting(): boolean {
    return this.unanswered > 0;
  }

  private get isOverdue(): boolean {
    return this.isWaiting && this.answerTime > 0 && performance.now() - this.since > this.answerTime;
  }

  /** A process that was held up has not seen yet what arrived meanwhile, so it looks twice. */
  private checkAnswer(): void {
    if (this.isOverdue) setImmediate(() => this.isOverdue && this.cut(new SilentDatabase()));
  }
}
