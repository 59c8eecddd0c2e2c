import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client, type QueryArrayResult } from 'pg';

const message = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
};
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string): Buffer => Buffer.from(`${value}\0`);

const AUTHENTICATED = message('R', int32(0));
const SERVER_PROCESS = message('K', int32(1), int32(1));

/** PostgreSQL's messages for one result, with values as text. */
function rowsOf({ fields, rows, command }: QueryArrayResult<(string | null)[]>): Buffer {
  const described = fields.map(({ name, dataTypeID }) =>
    Buffer.concat([text(name), int32(0), int16(0), int32(dataTypeID), int16(-1), int32(-1), int16(0)]),
  );
  const data = rows.map((row) =>
    message(
      'D',
      int16(row.length),
      ...row.map((value) =>
        value === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
      ),
    ),
  );
  const head = fields.length === 0 ? [] : [message('T', int16(fields.length), ...described)];
  return Buffer.concat([...head, ...data, message('C', text(command))]);
}

export interface FakePooler {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A pooler in transaction mode without authentication that knows simple statements only. A transaction gets an idle
 * connection, the last that became idle first, as PgBouncer does.
 */
export async function startFakePooler(databaseUrl: string): Promise<FakePooler> {
  const idle: Client[] = [];
  const all: Client[] = [];
  const take = async (): Promise<Client> => {
    const free = idle.pop();
    if (free !== undefined) return free;
    const made = new Client({
      connectionString: databaseUrl,
      types: { getTypeParser: () => (value: string) => value },
    });
    made.on('error', () => undefined);
    await made.connect();
    all.push(made);
    return made;
  };

  const serve = (socket: Socket): void => {
    let received = Buffer.alloc(0);
    let own: Client | undefined;
    let isInTransaction = false;
    let isGreeted = false;
    let work = Promise.resolve();
    const answer = async (statement: string): Promise<void> => {
      own ??= await take();
      try {
        const results = [await own.query<(string | null)[]>({ text: statement, rowMode: 'array' })].flat();
        socket.write(Buffer.concat(results.map(rowsOf)));
        if (/^BEGIN/.test(statement)) isInTransaction = true;
        if (/^(ROLLBACK|COMMIT)/.test(statement)) isInTransaction = false;
      } catch (error) {
        socket.write(message('E', text('SERROR'), text('CXX000'), text(`M${String(error)}`), text('')));
      }
      if (!isInTransaction) {
        idle.push(own);
        own = undefined;
      }
      socket.write(message('Z', Buffer.from(isInTransaction ? 'T' : 'I')));
    };
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      for (;;) {
        const typed = isGreeted ? 1 : 0;
        if (received.length < typed + 4) return;
        const length = typed + received.readInt32BE(typed);
        if (received.length < length) return;
        const type = isGreeted ? received.toString('latin1', 0, 1) : '';
        const body = received.toString('utf8', typed + 4, length - 1);
        received = received.subarray(length);
        if (type === 'Q') work = work.then(() => answer(body));
        if (type === 'X') socket.end();
        if (isGreeted) continue;
        isGreeted = true;
        socket.write(Buffer.concat([AUTHENTICATED, SERVER_PROCESS, message('Z', Buffer.from('I'))]));
      }
    });
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://nobody:x@127.0.0.1:${port}${new URL(databaseUrl).pathname}`,
    close: async () => {
      server.close();
      await Promise.all(all.map((client) => client.end()));
    },
  };
}
