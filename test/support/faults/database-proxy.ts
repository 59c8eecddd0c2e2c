import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a service and PostgreSQL and does what networks and failing servers do. */
export interface DatabaseProxy {
  /** The address of a database through it. */
  urlOf(databaseUrl: string): string;
  /** Lets no byte pass any more, in either direction; connections are still taken, as the kernel of a stopped server does. */
  freeze(): void;
  thaw(): void;
  /** The same for the direction to the service alone, once PostgreSQL was sent these words. */
  freezeAfter(words: string): void;
  /** Ends every connection. */
  cut(): void;
  /** Takes no connections until {@link accept}; those that stand stay. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Leads new connections to another server; those that stand stay. */
  pointTo(databaseUrl: string): void;
  /** Connections that a service holds. */
  connections(): number;
  /** Connections so far. */
  taken(): number;
  close(): Promise<void>;
}

/** Starts a proxy to the server of a database. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = addressOf(databaseUrl);
  let isFrozen = false;
  let taken = 0;
  let fatalWords: string | undefined;
  const pairs = new Set<readonly [Socket, Socket]>();
  const apply = ([client, server]: readonly [Socket, Socket]): void => {
    for (const socket of [client, server]) {
      if (isFrozen) socket.pause();
      else socket.resume();
    }
  };
  const freeze = (): void => {
    isFrozen = true;
    for (const pair of pairs) apply(pair);
  };
  const listener = createServer((client) => {
    taken += 1;
    const server = connect(target);
    const pair = [client, server] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on('data', (bytes) => {
      server.write(bytes);
      if (fatalWords === undefined || !bytes.includes(fatalWords)) return;
      fatalWords = undefined;
      freeze();
    });
    server.on('data', (bytes) => client.write(bytes));
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    apply(pair);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => listener.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = listener.address() as AddressInfo;
  const stopListening = (): Promise<void> =>
    new Promise((resolve) => {
      if (listener.listening) listener.close(() => resolve());
      else resolve();
    });
  const cut = (): void => {
    for (const [client] of pairs) client.destroy();
  };
  return {
    urlOf: (url) => {
      const through = new URL(url);
      through.hostname = '127.0.0.1';
      through.port = String(port);
      through.searchParams.delete('host');
      return through.href;
    },
    freeze,
    thaw: () => {
      isFrozen = false;
      for (const pair of pairs) apply(pair);
    },
    freezeAfter: (words) => (fatalWords = words),
    cut,
    // The callback of `close` waits for connections, which stay here.
    refuse: () => {
      listener.close();
      return Promise.resolve();
    },
    accept: () => listen(port),
    pointTo: (url) => (target = addressOf(url)),
    connections: () => pairs.size,
    taken: () => taken,
    close: async () => {
      const stopped = stopListening();
      cut();
      await stopped;
    },
  };
}

/** Where the server of a connection string listens: a port, or the socket of the embedded PostgreSQL. */
function addressOf(databaseUrl: string): { host: string; port: number } | { path: string } {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  return folder?.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port };
}
