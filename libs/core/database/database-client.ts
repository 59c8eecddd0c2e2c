import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { READ_ONLY, SilentDatabase } from './connection-errors';
import type { DatabaseHosts } from './database-hosts';

/** Milliseconds without traffic before the system asks whether the other side is still there; it gives up 10 s later. */
const KEEP_ALIVE_DELAY = 10_000;

/** Milliseconds between two looks at a connection that many share: one more statement is sent on it all the time. */
const PIPELINE_CHECK_INTERVAL = 250;

export interface DatabaseClientConfig extends ClientConfig {
  readonly hosts: DatabaseHosts;
  /** Milliseconds, see `DatabaseLimits`; 0 for no limit. */
  readonly silence: number;
}

/**
 * A connection that ends when the server is silent while it owes an answer. The limit is kept here: `statement_timeout`
 * is kept by the server, and a frozen one keeps nothing. Not the driver's `query_timeout`, which gives the statement up
 * and leaves the connection, still stuck, to whoever asks next.
 */
export class DatabaseClient extends Client {
  /** Of the driver's own, which its types leave out: whether no statement is under way, and whether it says good-bye. */
  declare readonly readyForQuery?: boolean;
  declare protected readonly _ending: boolean;
  /** The process that serves it, as the other side names it: a pooler, which has several, makes one up. */
  declare readonly processID?: number | null;
  /** The server that it is connected to. */
  readonly url: string;
  private isOnReadOnlyServer = false;
  private silence = 0;

  constructor(config: DatabaseClientConfig) {
    const url = config.hosts.current;
    super({
      ...config,
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    });
    this.url = url;
    // A connection that breaks while nobody listens would end the process: whoever uses it next is told by its query.
    this.on('error', () => undefined);
    let isConnected = false;
    this.connection.once('end', () => {
      if (!isConnected) config.hosts.leave(url);
    });
    this.once('connect', () => {
      isConnected = true;
      if (this.pipeline) this.watchPipeline(config.silence);
      else this.socket.on('timeout', () => this.endWhereOwed());
      this.limitSilence(config.silence);
    });
    this.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      this.isOnReadOnlyServer ||= code === READ_ONLY;
    });
  }

  /** Whether nobody should be given it any more: after a failover the old server may stay reachable but read-only. */
  get isUseless(): boolean {
    return this.isOnReadOnlyServer;
  }

  /** From now on; the pool sets its own limit again for whoever takes the connection next. */
  limitSilence(milliseconds: number): void {
    if (milliseconds === this.silence) return;
    this.silence = milliseconds;
    this.socket.setTimeout(milliseconds);
  }

  /** Bytes that the server has sent until now. */
  get bytesRead(): number {
    return this.socket.bytesRead;
  }

  /** Ends it at once, whatever is under way. */
  cut(): void {
    this.socket.destroy();
  }

  /** TLS has taken the place of the plain socket by the time of `connect`. */
  private get socket(): Socket {
    return this.connection.stream as Socket;
  }

  /** What is sent meanwhile counts as no answer, as it does for the socket's own time-out. */
  private watchPipeline(silence: number): void {
    let [bytes, since] = [0, performance.now()];
    const timer = setInterval(() => {
      const { bytesRead } = this.socket;
      if (this.readyForQuery === true || bytesRead !== bytes) {
        [bytes, since] = [bytesRead, performance.now()];
      } else if (performance.now() - since > silence) this.endWhereOwed();
    }, PIPELINE_CHECK_INTERVAL).unref();
    this.once('end', () => clearInterval(timer));
  }

  /** A connection that is idle, also within a transaction, owes nothing: LISTEN may hear nothing for days. */
  private endWhereOwed(): void {
    if (this.readyForQuery !== true || this._ending) this.socket.destroy(new SilentDatabase());
  }
}
