import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a service and PostgreSQL and does what networks and failing servers do. */
export interface DatabaseProxy {
  /** The address of a database through it. */
  urlOf(databaseUrl: string): string;
  /**
   * Lets no byte pass any more, in either direction; connections are still taken, as the kernel
   * of a stopped server does.
   */
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
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  /**
   * What waits for the thaw, bytes and ends alike. The sockets are read all the time: one that is paused with
   * unread bytes never tells that its other side has left.
   */
  let held: (() => void)[] = [];
  const unlessFrozen = (act: () => void): void => {
    if (isFrozen) held.push(act);
    else act();
  };
  const freeze = (): void => {
    isFrozen = true;
  };
  const listener = createServer((client) => {
    taken += 1;
    const server = connect(target);
    clients.add(client);
    servers.add(server);
    client.on('data', (bytes) => {
      unlessFrozen(() => server.write(bytes));
      if (fatalWords === undefined || !bytes.includes(fatalWords)) return;
      fatalWords = undefined;
      freeze();
    });
    server.on('data', (bytes) => unlessFrozen(() => client.write(bytes)));
    // A reset ends a connection as `close` does, which follows.
    client
      .on('error', () => undefined)
      .on('close', () => {
        clients.delete(client);
        unlessFrozen(() => server.destroy());
      });
    server
      .on('error', () => undefined)
      .on('close', () => {
        servers.delete(server);
        unlessFrozen(() => client.destroy());
      });
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
    for (const socket of [...clients, ...servers]) socket.destroy();
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
      const acts = held;
      held = [];
      for (const act of acts) act();
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
    connections: () => clients.size,
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
