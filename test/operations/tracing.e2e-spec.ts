import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Test } from 'supertest';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { BUILD } from '@app/platform/process/build';
import { makeCustomer, makeOrganisation, PASSWORD } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { startMailServer, type TestMailServer } from '../support/faults/smtp';
import {
  type ReceivedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../support/faults/trace-collector';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { createTestDatabase, type TestDatabase } from '../support/service/databases';
import { useFiles } from '../support/service/files';
import { runJobs } from '../support/service/jobs';
import {
  logLinesOf,
  type ServiceProcess,
  settingsOn,
  startServiceProcess,
  startWorkerProcess,
  useServiceProcesses,
} from '../support/service/processes';
import { ADMIN, type ReachableService, startTestService, type TestService } from '../support/service/service';
import { until } from '../support/service/until';

const newTraceId = (): string => randomBytes(16).toString('hex');
const PARENT = 'b7ad6b7169203331';
const traceparent = (traceId: string, flags = '01'): string => `00-${traceId}-${PARENT}-${flags}`;

const INVITATION = {
  email: 'planted.person@example.nl',
  firstName: 'Planted-Jan',
  lastName: 'Planted-Vries',
};

/** Settings of a process on a database, beside those of traces. */
const tracedOn = (database: TestDatabase): NodeJS.ProcessEnv =>
  settingsOn(database.url, { RATE_LIMIT: 'off', OTEL_BSP_SCHEDULE_DELAY: '100' });

describe('the trace of a request', () => {
  let collector: TraceCollector;
  let mails: TestMailServer;
  /** On the same database, without traces. */
  let plain: TestService;
  /** Traces come from processes: the instrumentations change modules of Node, of which jest has its own. */
  let traced: ServiceProcess;
  let service: ReachableService;
  let admin: ApiClient;

  const env = (): Record<string, string> => ({
    ...tracedOn(plain.database),
    SMTP_URL: mails.url,
    PUBLIC_URL: 'https://api.panel.example/account',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20the%20operator',
  });

  /** The id of a trace that the request goes on with. */
  function traceOf(request: Test, flags = '01'): string {
    const traceId = newTraceId();
    request.set('traceparent', traceparent(traceId, flags));
    return traceId;
  }

  /** Waits for a span of a trace. */
  async function received(traceId: string, name: string): Promise<ReceivedSpan> {
    const find = (): ReceivedSpan | undefined => collector.trace(traceId).find((span) => span.name === name);
    await until(() => find() !== undefined);
    return find() as ReceivedSpan;
  }

  /** The line of the log about the request with this id. */
  async function logLineOf(requestId: string): Promise<Record<string, unknown>> {
    const find = () => logLinesOf(traced.output()).find((line) => line['requestId'] === requestId);
    await until(() => find() !== undefined);
    return find() as Record<string, unknown>;
  }

  beforeAll(async () => {
    collector = await startTraceCollector();
    mails = await startMailServer();
    plain = await startTestService('A', { settings: { smtpUrl: mails.url } });
    traced = startServiceProcess({
      ...env(),
      WORKER: 'off',
      TRUSTED_PROXIES: '127.0.0.0/8',
      // Sends the traces alone that a request goes on with.
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    service = { url: `http://127.0.0.1:${new URL(await traced.address).port}`, sql: plain.sql };
    admin = await asAdmin(service);
  });
  afterAll(async () => {
    expect(await traced.stop()).toMatchObject({ status: 0, errors: '' });
    await plain.stop();
    await mails.stop();
    await collector.stop();
  });

  it('GET …/users/{userId}: goes on from the traceparent of a trusted proxy, with the query of the access check and the read beneath', async () => {
    const customer = await makeCustomer(service);
    const request = admin.get(`/organisations/${customer.organisationId}/users/${customer.plain.id}`);
    const traceId = traceOf(request);
    await request.set('X-Request-Id', 'of-the-proxy').expect(200);
    const route = '/v1/organisations/:organisationId/users/:userId';
    const span = await received(traceId, `GET ${route}`);
    expect(span).toMatchObject({ kind: 'server', parentId: PARENT, isFailed: false });
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': route,
      'http.response.status_code': 200,
      'http.response.header.x-request-id': { values: [{ stringValue: 'of-the-proxy' }] },
      'network.protocol.version': '1.1',
      'url.scheme': 'https',
      'server.address': 'api.panel.example',
      'server.port': 443,
    });
    expect(span.resource).toEqual({
      'service.name': 'account-api',
      'service.version': BUILD.version,
      'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
      'account_api.variant': 'A',
    });
    expect(collector.beneath(span)).toEqual(['access', 'users.read']);
    expect(await received(traceId, 'access')).toMatchObject({
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'SELECT',
        'db.query.summary': 'access',
      },
    });
    const message = collector.messages.find(({ text }) => text.includes(traceId));
    expect(message).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'of the operator' } });
    expect(await logLineOf('of-the-proxy')).toMatchObject({ route, trace_id: traceId, span_id: span.spanId });
  });

  it('GET /whoami: is a new one without a valid traceparent, which the sampler leaves out and the log names', async () => {
    const seen = collector.spans.length;
    const unsampled = newTraceId();
    const headers = [
      undefined,
      'planted',
      `00-${'0'.repeat(32)}-${PARENT}-01`,
      `ff-${newTraceId()}-${PARENT}-01`,
      traceparent(unsampled, '00'),
    ];
    const ids: unknown[] = [];
    for (const [index, header] of headers.entries()) {
      const request = admin.get('/whoami').set('X-Request-Id', `unread-${index}`);
      if (header !== undefined) void request.set('traceparent', header);
      await request.expect(200);
      ids.push((await logLineOf(`unread-${index}`))['trace_id']);
    }
    expect(ids.pop()).toBe(unsampled);
    for (const [index, id] of ids.entries()) {
      expect(id).toMatch(/^(?!0{32})[\da-f]{32}$/);
      expect(headers[index] ?? '').not.toContain(id);
    }
    // Probes have no trace even where the proxy asks for one.
    const probed = traceparent(newTraceId());
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect((await fetch(`${service.url}${path}`, { headers: { traceparent: probed } })).status).toBe(200);
    const told = admin.get('/whoami');
    const traceId = traceOf(told);
    await told.expect(200);
    await received(traceId, 'GET /v1/whoami');
    expect(collector.spans.slice(seen).filter((span) => span.traceId !== traceId)).toEqual([]);
  });

  it('has no route where the path is unknown, and 500 ROLE_REQUIRED is no failure', async () => {
    const nowhere = admin.get('/planted-path');
    const nowhereId = traceOf(nowhere);
    await nowhere.expect(404);
    const { attributes, isFailed } = await received(nowhereId, 'GET');
    expect({ isFailed, status: attributes['http.response.status_code'] }).toEqual({
      isFailed: false,
      status: 404,
    });
    expect(attributes).not.toHaveProperty('http.route');

    const { plain: user } = await makeCustomer(service);
    const denied = user.client.post('/organisations', { name: 'x', taxNumber: 'x' });
    const deniedId = traceOf(denied);
    await denied.expect(500);
    expect(await received(deniedId, 'POST /v1/organisations')).toMatchObject({ isFailed: false });
  });

  /** Invites to the operator, or to another organisation, and gives the id of the trace. */
  async function invite(email: string, { organisationId = 1, flags = '01' } = {}): Promise<string> {
    const request = admin.post(`/organisations/${organisationId}/invitations`, { ...INVITATION, email });
    const traceId = traceOf(request, flags);
    await request.set('tracestate', 'vendor=value').expect(201);
    return traceId;
  }

  it('POST …/invitations: stands in the payload of its jobs, which a process without traces does all the same', async () => {
    const seen = mails.mails.length;
    const traceId = await invite('plain@example.nl');
    const [job] = await service.sql<{ payload: Record<string, unknown> }>(
      `SELECT payload FROM ${JOB_TABLE} WHERE payload ->> 'customerId' = '1'`,
    );
    const sending = await received(traceId, 'send mail.release');
    expect(sending.kind).toBe('producer');
    expect(job?.payload).toMatchObject({
      traceparent: `00-${traceId}-${sending.spanId}-01`,
      tracestate: 'vendor=value',
    });
    await runJobs(plain);
    expect(mails.mails.slice(seen).map(({ to }) => to)).toEqual([['plain@example.nl']]);
    expect(collector.trace(traceId).filter(({ kind }) => kind === 'consumer')).toEqual([]);
    expect(plain.logLines.join('')).not.toContain('trace_id');
  });

  describe('of POST …/invitations with a worker', () => {
    let worker: ReturnType<typeof startWorkerProcess>;
    beforeAll(() => {
      worker = startWorkerProcess({ ...env(), OTEL_SERVICE_NAME: 'account-worker' });
    });
    afterAll(async () => expect(await worker.stop()).toMatchObject({ status: 0 }));

    const mailTo = async (email: string): Promise<(typeof mails.mails)[number]> => {
      const find = () => mails.mails.find(({ to }) => to.includes(email));
      await until(() => find() !== undefined);
      return find() as (typeof mails.mails)[number];
    };

    it('goes on over the write and the job to the mail, and to what became of it', async () => {
      const organisationId = await makeOrganisation(service);
      const traceId = await invite(INVITATION.email, { organisationId });
      const mail = await received(traceId, 'mail invitation');
      // Who is above in a trace ends later.
      const route = 'POST /v1/organisations/:organisationId/invitations';
      for (const name of [route, 'process mail.send']) await received(traceId, name);
      const written = [route, 'transaction'];
      expect(collector.wayTo(mail)).toEqual([
        ...written,
        'send mail.release',
        'process mail.release',
        'transaction',
        'send mail.send',
        'process mail.send',
        'mail invitation',
      ]);
      expect(await received(traceId, 'process mail.send')).toMatchObject({
        kind: 'consumer',
        attributes: { 'messaging.destination.name': 'mail.send', 'account_api.job.attempt': 1 },
      });
      expect(mail).toMatchObject({
        resource: { 'service.name': 'account-worker' },
        kind: 'client',
        attributes: { 'server.address': '127.0.0.1', 'server.port': Number(new URL(mails.url).port) },
      });
      for (const statement of ['START TRANSACTION', 'INSERT invitations', 'COMMIT'])
        expect(collector.wayTo(await received(traceId, statement))).toEqual([...written, statement]);
      expect(collector.wayTo(await received(traceId, 'UPDATE notification_recipients')).slice(0, 2)).toEqual(
        written,
      );
      await until(() =>
        logLinesOf(worker.output()).some(({ msg, trace_id }) => msg === 'mail sent' && trace_id === traceId),
      );
      // A trace is nobody's business but the operator's.
      expect((await mailTo(INVITATION.email)).raw).not.toContain(traceId);
    });

    it('is another for each of the mails that one job writes, with a link to the first', async () => {
      const organisationId = await makeOrganisation(service);
      await makeContact(service, { organisationId, groups: ['Crm'] });
      const traceId = await invite('linked@example.nl', { organisationId });
      const find = (): ReceivedSpan | undefined =>
        collector.spans.find(({ links }) => links.some((link) => link.traceId === traceId));
      await until(() => collector.beneath(find()).includes('mail notification'));
      const delivery = find();
      expect(delivery).toMatchObject({ name: 'process mail.send', kind: 'consumer' });
      expect(delivery?.traceId).not.toBe(traceId);
      const writer = (): string[] =>
        collector.wayTo(collector.spans.find(({ spanId }) => spanId === delivery?.links[0]?.spanId));
      await until(() => writer()[0]?.startsWith('POST') === true);
      expect(writer()).toEqual([
        'POST /v1/organisations/:organisationId/invitations',
        'transaction',
        'send notifications.expand',
        'process notifications.expand',
        'transaction',
        'send mail.release',
        'process mail.release',
        'transaction',
        'send mail.send',
      ]);
    });

    it('names a failed mail by error.type', async () => {
      mails.refuse(true);
      try {
        const failed = await invite('refused@example.nl');
        expect(await received(failed, 'mail invitation')).toMatchObject({
          isFailed: true,
          attributes: { 'error.type': 'EENVELOPE' },
        });
        expect(await received(failed, 'process mail.send')).toMatchObject({ isFailed: true });
      } finally {
        mails.refuse(false);
      }
    });

    it('is not sent where the traceparent is not sampled, and its jobs are not either', async () => {
      const unread = await invite('unread@example.nl', { flags: '00' });
      await mailTo('unread@example.nl');
      const told = await invite('afterwards@example.nl');
      await received(told, 'process mail.send');
      expect(collector.trace(unread)).toEqual([]);
    });

    it('holds no secret and names nobody', async () => {
      const guest = anonymous(service);
      const { organisationId, plain: user } = await makeCustomer(service);
      const login = { username: user.username, password: PASSWORD };
      const requests: [Test, status: number][] = [
        [guest.post('/login', { ...login, password: 'planted-guess' }), 401],
        [guest.post('/resetting/send_email', { username: user.username }), 204],
        [
          user.client.post(`/organisations/${organisationId}/users/${user.id}/changepassword`, {
            oldPassword: PASSWORD,
            password: 'An0ther-Passw0rd',
          }),
          200,
        ],
        [user.client.get('/organisations?filter=planted-filter').set('User-Agent', 'planted-program'), 200],
      ];
      const entering = guest.post('/login', login);
      const traceIds = [traceOf(entering)];
      const { hash } = (await entering.expect(200)).body as { hash: string };
      for (const [request, status] of requests) {
        traceIds.push(traceOf(request));
        await request.expect(status);
      }
      // The news of the new password may be there before the link.
      const links = (): string[] =>
        mails.mails
          .filter(({ to }) => to.includes(user.username))
          .flatMap(({ text }) => /\/([\w-]{20,})/.exec(text)?.[1] ?? []);
      await until(() => links().length > 0);
      const [token = ''] = links();
      const invited = guest.get(`/registerInvitation/${token}`);
      traceIds.push(traceOf(invited));
      await invited;
      const last = traceIds.at(-1) as string;
      await until(() => collector.trace(last).some(({ kind }) => kind === 'server'));
      const told = collector.messages.map(({ text }) => text).join('\n');
      for (const id of traceIds) expect(told).toContain(id);
      expect(told).toContain('check password');
      for (const secret of [
        hash,
        token,
        PASSWORD,
        ADMIN.password,
        ADMIN.username,
        'An0ther',
        admin.hash ?? '',
      ])
        expect(told).not.toContain(secret);
      expect(told).not.toMatch(/planted|example\.(nl|com)|\$2b\$|user-agent/i);
    });
  });
});

describe('a process with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let database: TestDatabase;
  const startProcess = useServiceProcesses();
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** Writes down what it has loaded when it ends. */
  const files = useFiles();
  const witness = files.write(
    'witness.cjs',
    `process.on('exit', () => require('node:fs').writeFileSync(process.env.LOADED, Object.keys(require.cache).join('\\n')));`,
  );

  const start = (name: string, settings: Record<string, string> = {}) =>
    startProcess({
      ...tracedOn(database),
      NODE_OPTIONS: `--require=${witness}`,
      LOADED: files.path(name),
      ...settings,
    });

  async function work(url: string): Promise<void> {
    await (await asAdmin({ url })).get('/whoami').expect(200);
  }

  /**
   * Packages of OpenTelemetry and files of ours that a process has loaded; the first is prom-client's own.
   */
  const loadedBy = (name: string): string[] => [
    ...new Set(
      readFileSync(files.path(name), 'utf8').match(/@opentelemetry\/(?!api\/)[\w-]+|tracing-sdk/g) ?? [],
    ),
  ];

  it('loads nothing of OpenTelemetry without the setting', async () => {
    const { address, stop } = start('without');
    await work(await address);
    expect(await stop()).toMatchObject({ status: 0 });
    expect(readFileSync(files.path('without'), 'utf8')).toContain('prom-client');
    expect(loadedBy('without')).toEqual([]);
  });

  it('answers and stops within 20 s where the collector is silent', async () => {
    const collector = await startTraceCollector();
    collector.hang(true);
    const { address, stop } = start('with', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    });
    const url = await address;
    await work(url);
    await until(() => collector.unanswered() > 0);
    await work(url);
    const begun = performance.now();
    expect(await stop()).toMatchObject({ status: 0, errors: '' });
    // The minute of the time-out would pass else.
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(loadedBy('with')).toContain('@opentelemetry/sdk-trace-node');
    await collector.stop();
  });

  it('logs once that its traces are lost and once that they are accepted again, and takes no traceparent of a stranger', async () => {
    const away = await startTraceCollector();
    await away.stop();
    const { address, output, stop } = start('lost', {
      OTEL_EXPORTER_OTLP_ENDPOINT: away.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    const messages = (): unknown[] =>
      logLinesOf(output())
        .map(({ msg }) => msg)
        .filter((msg) => /traces|OpenTelemetry/.test(String(msg)));
    const client = await asAdmin({ url: await address });
    await until(async () => {
      await client.get('/whoami').expect(200);
      return messages().length > 0;
    });
    const collector = await startTraceCollector(Number(new URL(away.url).port));
    // No proxy is trusted here, so a client names no trace.
    const traceId = newTraceId();
    await until(async () => {
      await client.get('/whoami').set('traceparent', traceparent(traceId)).expect(200);
      return messages().length > 1 && collector.spans.some(({ name }) => name === 'GET /v1/whoami');
    });
    expect(collector.trace(traceId)).toEqual([]);
    expect(await stop()).toMatchObject({ status: 0, errors: '' });
    expect(messages()).toEqual([
      'traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not accept them',
      'traces are accepted again',
    ]);
    await collector.stop();
  });
});
