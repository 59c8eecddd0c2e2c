import { connect } from 'node:net';
import { makeCustomer, makeOrganisation, PASSWORD } from '../../support/factories/factories';
import { transactionBeside, untilBlocked } from '../../support/faults/locks';
import { anonymous, asAdmin, loggedIn } from '../../support/service/client';
import { describeService, useService } from '../../support/service/service';
import { until } from '../../support/service/until';

interface LogLine {
  readonly status?: number;
  readonly address?: string;
  readonly userId?: number;
  readonly nameDigest?: string;
}

describe('a request', () => {
  const service = useService('A', { settings: { trustedProxies: ['127.0.0.0/8'] } });

  /** The log line that comes next with this status; nothing before the call counts. */
  async function lineOf(status: number, call: () => PromiseLike<unknown>): Promise<LogLine> {
    const known = service.logLines.length;
    await call();
    let found: LogLine | undefined;
    await until(async () => {
      found = service.logLines
        .slice(known)
        .map((line) => JSON.parse(line) as LogLine)
        .find((line) => line.status === status);
      return found !== undefined;
    });
    return found as LogLine;
  }

  it('is logged with address and user where access is denied (403) or a role is missing (500)', async () => {
    const { plain } = await makeCustomer(service);
    const elsewhere = await makeOrganisation(service);
    const denied = await lineOf(403, () =>
      plain.client.get(`/organisations/${elsewhere}`).set('X-Forwarded-For', '198.51.100.7'),
    );
    expect(denied).toMatchObject({ address: '198.51.100.7', userId: plain.id });
    const role = await lineOf(500, () =>
      plain.client
        .post('/organisations', { name: 'x', taxNumber: 'x' })
        .set('X-Forwarded-For', '198.51.100.8'),
    );
    expect(role).toMatchObject({ address: '198.51.100.8', userId: plain.id });
  });

  it('is logged with address and a digest of the name where POST /login is refused, never with the name', async () => {
    const { plain } = await makeCustomer(service);
    const login = (username: string) =>
      anonymous(service)
        .post('/login', { username, password: 'Wrong-pass-1' })
        .set('X-Forwarded-For', '203.0.113.9');
    const wrong = await lineOf(401, () => login(plain.username));
    const unknown = await lineOf(404, () => login('nobody@nowhere.example'));
    const unknownAgain = await lineOf(404, () => login(' Nobody@Nowhere.example'));
    expect(wrong).toMatchObject({
      address: '203.0.113.9',
      nameDigest: expect.stringMatching(/^[\da-f]{32}$/),
    });
    expect(unknown).toMatchObject({ address: '203.0.113.9', nameDigest: unknownAgain.nameDigest });
    expect(unknown.nameDigest).not.toBe(wrong.nameDigest);
    expect(service.logLines.join('')).not.toMatch(/nobody@nowhere|Nobody@Nowhere/);
  });

  it('is logged with the address where a credential is unknown (401)', async () => {
    const line = await lineOf(401, () =>
      anonymous(service)
        .get('/whoami')
        .set('Authorization', 'f'.repeat(64))
        .set('X-Forwarded-For', '203.0.113.4'),
    );
    expect(line).toMatchObject({ address: '203.0.113.4' });
  });

  it('is answered with the X-Request-Id that a trusted proxy gave, if it is sane', async () => {
    const admin = await asAdmin(service);
    const given = await admin.get('/whoami').set('X-Request-Id', 'abc-1.2_3').expect(200);
    expect(given.headers['x-request-id']).toBe('abc-1.2_3');
    const insane = await admin.get('/whoami').set('X-Request-Id', '<script>').expect(200);
    expect(insane.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });
});

describeService(['A'], 'audit_log after POST …/teams by a client that left at once', (service) => {
  it.each(['end', 'resetAndDestroy'] as const)('has the address of the client: %s', async (leave) => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const client = await loggedIn(service, custadmin.username, PASSWORD);
    const body = JSON.stringify({ name: `Left by ${leave}` });
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    // Held until the client is gone.
    await using holder = await transactionBeside(service);
    await holder.query('LOCK TABLE teams IN EXCLUSIVE MODE');
    socket.write(
      `POST /v1/organisations/${organisationId}/teams HTTP/1.1\r\nHost: x\r\nAuthorization: ${client.hash}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await untilBlocked(service, new Promise(() => undefined));
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket[leave]();
    if (leave === 'end') socket.destroy();
    await gone;
    await holder.query('COMMIT');
    const addressOf = () =>
      service.sql<{ address: string }>(
        `SELECT host(address::inet) AS address FROM audit_log WHERE table_name = 'teams' AND after ->> 'name' = $1`,
        [`Left by ${leave}`],
      );
    await until(async () => (await addressOf()).length === 1);
    expect(await addressOf()).toEqual([{ address: '127.0.0.1' }]);
  });
});
