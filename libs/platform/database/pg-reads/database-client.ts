import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { READ_ONLY, SilentDatabase } from '../connection-errors';
import type { DatabaseHosts } from '../database-hosts';
import { START_PARAMETERS } from '../database-limits';

/** Milliseconds of silence before the system probes the other side. It gives up 10 s later. */
const KEEP_ALIVE_DELAY = 10_000;

/**
 * Milliseconds between two checks of a shared connection. New statements keep resetting
 * the socket's own timeout.
 */
const PIPELINE_CHECK_INTERVAL = 250;

/**
 * How TypeORM begins a transaction. It names an isolation in a second statement, which
 * costs another round trip.
 */
const UNNAMED = 'START TRANSACTION';
const NAMED = `${UNNAMED} ISOLATION LEVEL READ COMMITTED READ WRITE`;

type AnyQuery = (text: unknown, ...more: unknown[]) => unknown;

interface DatabaseClientConfig extends ClientConfig {
  readonly hosts: DatabaseHosts;
  /** Milliseconds, see `DatabaseLimits`; 0 for no limit. */
  readonly socketTimeout: number;
}

/**
 * A connection that ends if the server owes an answer and sends nothing. A frozen server does not observe
 * its own `statement_timeout`. The driver's `query_timeout` ends only the statement, so the next one
 * would get a stuck connection.
 */
export class DatabaseClient extends Client {
  /**
   * Members that the driver's types lack: whether no statement is running, and whether the client is closing.
   */
  declare readonly readyForQuery?: boolean;
  declare protected readonly _ending: boolean;
  /** The server process as the other side reports it; a pooler invents one. */
  declare readonly processID?: number | null;
  /** The server that it is connected to. */
  readonly url: string;
  /** Whether the server accepts no writes. After a failover the old server may stay reachable. */
  isReadOnly = false;
  private socketTimeout = 0;

  constructor(config: DatabaseClientConfig) {
    const url = config.hosts.current;
    super({
      ...config,
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    });
    this.url = url;
    const driver = Client.prototype as unknown as { query: AnyQuery };
    const named: AnyQuery = (text, ...more) =>
      driver.query.call(this, text === UNNAMED ? NAMED : text, ...more);
    this.query = named as typeof this.query;
    // Without a listener, a broken connection would end the process. Its next query fails anyway.
    this.on('error', () => undefined);
    let isConnected = false;
    this.connection.once('end', () => {
      if (!isConnected) config.hosts.skip(url);
    });
    this.once('connect', () => {
      isConnected = true;
      if (this.pipeline) this.watchPipeline(config.socketTimeout);
      else this.socket.on('timeout', () => this.endIfOwed());
      this.setSocketTimeout(config.socketTimeout);
    });
    this.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      this.isReadOnly ||= code === READ_ONLY;
    });
  }

  /** What the driver sends at the start of the connection, and {@link START_PARAMETERS}. */
  getStartupConf(): Readonly<Record<string, string>> {
    const driver = Client.prototype as unknown as { getStartupConf(): Record<string, string> };
    return { ...driver.getStartupConf.call(this), ...START_PARAMETERS };
  }

  /** Sets the timeout in milliseconds. The pool sets its own value again at the next acquire. */
  setSocketTimeout(milliseconds: number): void {
    if (milliseconds === this.socketTimeout) return;
    this.socketTimeout = milliseconds;
    this.socket.setTimeout(milliseconds);
  }

  get bytesRead(): number {
    return this.socket.bytesRead;
  }

  /** Whether no answer of the server is outstanding. */
  get isAtRest(): boolean {
    return this.readyForQuery === true;
  }

  /** Ends the connection at once, with its running statements. */
  cut(): void {
    this.socket.destroy();
  }

  /** Whether the connection has been cut. Its pool notices only at the end of this turn of the event loop. */
  get isCut(): boolean {
    return this.socket.destroyed;
  }

  /** The socket, or the TLS socket from `connect` on. */
  private get socket(): Socket {
    return this.connection.stream as Socket;
  }

  /** Only received bytes count as an answer. */
  private watchPipeline(socketTimeout: number): void {
    let bytes = 0;
    let since = performance.now();
    const timer = setInterval(() => {
      const { bytesRead } = this.socket;
      if (this.isAtRest || bytesRead !== bytes) {
        [bytes, since] = [bytesRead, performance.now()];
      } else if (performance.now() - since > socketTimeout) this.endIfOwed();
    }, PIPELINE_CHECK_INTERVAL).unref();
    this.once('end', () => clearInterval(timer));
  }

  /** An idle connection owes no answer, even in a transaction. LISTEN may receive nothing for days. */
  private endIfOwed(): void {
    if (!this.isAtRest || this._ending) this.socket.destroy(new SilentDatabase());
  }
}
