import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { BUILD } from '@app/platform/process/build';
import { anonymous, ApiClient, asAdmin } from '../support/service/client';
import { makeContact } from '../support/factories/records';
import { createTestDatabase, type TestDatabase } from '../support/service/databases';
import { makeCustomer, makeOrganisation, makeUser, PASSWORD } from '../support/factories/factories';
import { useFiles } from '../support/service/files';
import { runJobs } from '../support/service/jobs';
import {
  logLinesOf,
  settingsOn,
  startServiceProcess,
  startWorkerProcess,
  useServiceProcesses,
} from '../support/service/processes';
import { ADMIN, startTestService, type ReachableService, type TestService } from '../support/service/service';
import { startMailServer, type TestMailServer } from '../support/faults/smtp';
import {
  startTraceCollector,
  type ReceivedSpan,
  type TraceCollector,
} from '../support/faults/trace-collector';
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

/** Traces come from processes: the instrumentations change modules of Node, of which jest has its own. */
interface TracedService extends ReachableService {
  /** Every line that it logged. */
  readonly logLines: () => Record<string, unknown>[];
  stop(): Promise<void>;
}

describe('the trace of a request', () => {
  let collector: TraceCollector;
  let mails: TestMailServer;
  /** On the same database, without traces. */
  let plain: TestService;
  let service: TracedService;
  let admin: ApiClient;

  const env = (): Record<string, string> => ({
    ...tracedOn(plain.database),
    SMTP_URL: mails.url,
    PUBLIC_URL: 'https://api.panel.example/account',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20the%20operator',
  });

  async function startService(settings: Record<string, string> = {}): Promise<TracedService> {
    const { address, output, stop } = startServiceProcess({
      ...env(),
      WORKER: 'off',
      TRUSTED_PROXIES: '127.0.0.0/8',
      DRAIN_DELAY: '0',
      ...settings,
    });
    const { port } = new URL(await address);
    return {
      url: `http://127.0.0.1:${port}`,
      sql: plain.sql,
      logLines: () => logLinesOf(output()),
      stop: async () => expect(await stop()).toMatchObject({ status: 0, errors: '' }),
    };
  }

  /** Waits for a span of a trace. */
  async function received(traceId: string, name: string): Promise<ReceivedSpan> {
    const find = (): ReceivedSpan | undefined => collector.trace(traceId).find((span) => span.name === name);
    await until(() => find() !== undefined);
    return find() as ReceivedSpan;
  }

  beforeAll(async () => {
    collector = await startTraceCollector();
    mails = await startMailServer();
    plain = await startTestService('A', { settings: { smtpUrl: mails.url } });
    service = await startService();
    admin = await asAdmin(service);
  });
  afterAll(async () => {
    await service.stop();
    await plain.stop();
    await mails.stop();
    await collector.stop();
  });

  it('goes on from the one that a trusted proxy names, over the query of the guard to the read', async () => {
    const customer = await makeCustomer(service);
    const traceId = newTraceId();
    await admin
      .get(`/organisations/${customer.organisationId}/users/${customer.plain.id}`)
      .set('traceparent', traceparent(traceId))
      .set('X-Request-Id', 'of-the-proxy')
      .expect(200);
    const name = 'GET /v1/organisations/:organisationId/users/:userId';
    const span = await received(traceId, name);
    expect(span).toMatchObject({ kind: 'server', parentId: PARENT, isFailed: false });
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/v1/organisations/:organisationId/users/:userId',
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
  });

  it.each([
    ['of another form', 'planted'],
    ['of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['of the version that there is none of', `ff-${newTraceId()}-${PARENT}-01`],
  ])('is a new one where traceparent is %s', async (_what, header) => {
    const seen = collector.spans.length;
    await admin.get('/whoami').set('traceparent', header).expect(200);
    const fresh = (): ReceivedSpan | undefined =>
      collector.spans.slice(seen).find(({ name }) => name === 'GET /v1/whoami');
    await until(() => fresh() !== undefined);
    expect(fresh()?.parentId ?? '').toBe('');
    expect(header).not.toContain(fresh()?.traceId);
  });

  it('is one of its own where no trusted proxy stands in front, whatever the client sends', async () => {
    const strict = await startService({ TRUSTED_PROXIES: '', OTEL_SERVICE_NAME: 'strict' });
    const traceId = newTraceId();
    try {
      await new ApiClient(strict.url, admin.hash)
        .get('/whoami')
        .set('traceparent', traceparent(traceId))
        .expect(200);
    } finally {
      await strict.stop();
    }
    const span = collector.spans.find(({ resource }) => resource['service.name'] === 'strict');
    expect(span?.traceId).toMatch(/^[\da-f]{32}$/);
    expect(collector.trace(traceId)).toEqual([]);
  });

  it('follows the sampler of the settings, unless the one before it is told', async () => {
    const quiet = await startService({
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    const traceId = newTraceId();
    const client = new ApiClient(quiet.url, admin.hash);
    const seen = collector.spans.length;
    try {
      await client.get('/whoami').expect(200);
      await client.get('/whoami').set('traceparent', traceparent(traceId)).expect(200);
    } finally {
      await quiet.stop();
    }
    const traces = new Set(collector.spans.slice(seen).map((span) => span.traceId));
    expect([...traces]).toEqual([traceId]);
  });

  it('leaves probes out', async () => {
    const before = newTraceId();
    await admin.get('/whoami').set('traceparent', traceparent(before)).expect(200);
    await received(before, 'GET /v1/whoami');
    const seen = collector.spans.length;
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect((await fetch(`${service.url}${path}`)).status).toBe(200);
    const traceId = newTraceId();
    await admin.get('/whoami').set('traceparent', traceparent(traceId)).expect(200);
    await received(traceId, 'GET /v1/whoami');
    expect(collector.spans.slice(seen).filter((span) => span.traceId !== traceId)).toEqual([]);
  });

  it('has its ids in the lines of the log', async () => {
    const traceId = newTraceId();
    await admin.get('/whoami').set('traceparent', traceparent(traceId)).expect(200);
    const { spanId } = await received(traceId, 'GET /v1/whoami');
    const line = () => service.logLines().find(({ trace_id }) => trace_id === traceId);
    await until(() => line() !== undefined);
    expect(line()).toMatchObject({ route: '/v1/whoami', span_id: spanId });
  });

  it('has no path that leads nowhere', async () => {
    const traceId = newTraceId();
    await admin.get('/planted-path').set('traceparent', traceparent(traceId)).expect(404);
    const span = await received(traceId, 'GET');
    expect(span).toMatchObject({ isFailed: false, attributes: { 'http.response.status_code': 404 } });
    expect(span.attributes).not.toHaveProperty('http.route');
  });

  it('calls a missing role no failure', async () => {
    const { plain: user } = await makeCustomer(plain);
    const traceId = newTraceId();
    await new ApiClient(service.url, user.client.hash)
      .post('/organisations', { name: 'x', taxNumber: 'x' })
      .set('traceparent', traceparent(traceId))
      .expect(500);
    expect(await received(traceId, 'POST /v1/organisations')).toMatchObject({ isFailed: false });
  });

  it('goes along with its jobs, which a process that sends none does all the same', async () => {
    const traceId = newTraceId();
    const seen = mails.mails.length;
    await admin
      .post('/organisations/1/invitations', { ...INVITATION, email: 'plain@example.nl' })
      .set('traceparent', traceparent(traceId))
      .set('tracestate', 'vendor=value')
      .expect(201);
    const [job] = await service.sql<{ payload: Record<string, unknown> }>(
      `SELECT payload FROM ${JOB_TABLE} WHERE payload ->> 'to' = 'plain@example.nl'`,
    );
    const sending = await received(traceId, 'send mail.send');
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

  describe('that writes jobs', () => {
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
      const organisation = await makeOrganisation(service);
      const traceId = newTraceId();
      await admin
        .post(`/organisations/${organisation}/invitations`, { ...INVITATION, autoRoles: 'ROLE_CUSTADMIN' })
        .set('traceparent', traceparent(traceId))
        .expect(201);
      const mail = await received(traceId, 'mail invitation');
      // Who is above in a trace ends later.
      await received(traceId, 'POST /v1/organisations/:organisationId/invitations');
      expect(await received(traceId, 'process mail.send')).toMatchObject({
        kind: 'consumer',
        attributes: { 'messaging.destination.name': 'mail.send', 'account_api.job.attempt': 1 },
      });
      expect(collector.wayTo(mail)).toEqual([
        'POST /v1/organisations/:organisationId/invitations',
        'transaction',
        'send mail.send',
        'process mail.send',
        'mail invitation',
      ]);
      expect(mail).toMatchObject({
        resource: { 'service.name': 'account-worker' },
        kind: 'client',
        attributes: { 'server.address': '127.0.0.1', 'server.port': Number(new URL(mails.url).port) },
      });
      expect(collector.wayTo(await received(traceId, 'INSERT invitations'))).toEqual([
        'POST /v1/organisations/:organisationId/invitations',
        'transaction',
        'INSERT invitations',
      ]);
      expect(collector.wayTo(await received(traceId, 'UPDATE notification_recipients')).slice(0, 2)).toEqual([
        'POST /v1/organisations/:organisationId/invitations',
        'transaction',
      ]);
      await until(() =>
        logLinesOf(worker.output()).some(({ msg, trace_id }) => msg === 'mail sent' && trace_id === traceId),
      );
      const statements = collector.trace(traceId).map(({ name }) => name);
      expect(statements).toEqual(expect.arrayContaining(['START TRANSACTION', 'COMMIT', 'access']));
      // A trace is nobody's business but the operator's.
      expect((await mailTo(INVITATION.email)).raw).not.toContain(traceId);
    });

    it('is another for each of the mails that one job writes, with a link', async () => {
      const organisation = await makeOrganisation(service);
      const user = await makeUser(service, { organisationId: organisation, username: 'told@example.nl' });
      await makeContact(service, { organisationId: organisation, groups: ['System'] });
      const traceId = newTraceId();
      await new ApiClient(service.url, user.client.hash)
        .post(`/organisations/${organisation}/users/${user.id}/changepassword`, {
          oldPassword: PASSWORD,
          password: 'An0ther-Passw0rd',
        })
        .set('traceparent', traceparent(traceId))
        .expect(200);
      // The mail to the own name is written by itself, those to contacts together.
      const own = await received(traceId, 'mail ownNotification');
      await until(() => collector.wayTo(own).includes('send notifications.deliver'));
      const delivery = (): ReceivedSpan | undefined =>
        collector.spans.find(
          ({ name, links }) => name === 'process notifications.deliver' && links.length > 0,
        );
      await until(() => delivery() !== undefined);
      const [link] = delivery()?.links ?? [];
      expect(link?.traceId).toBe(traceId);
      const wayToLink = (): string[] =>
        collector.wayTo(collector.spans.find(({ spanId }) => spanId === link?.spanId));
      await until(() => wayToLink().includes('process notifications.expand'));
      expect(wayToLink().slice(-3)).toEqual([
        'process notifications.expand',
        'transaction',
        'send notifications.deliver',
      ]);
      expect(delivery()).toMatchObject({ kind: 'consumer' });
      expect(delivery()?.traceId).not.toBe(traceId);
      expect(collector.beneath(delivery())).toContain('mail notification');
    });

    it('tells a failure by a word', async () => {
      const failed = newTraceId();
      mails.refuse(true);
      try {
        await admin
          .post('/organisations/1/invitations', { ...INVITATION, email: 'refused@example.nl' })
          .set('traceparent', traceparent(failed))
          .expect(201);
        expect(await received(failed, 'mail invitation')).toMatchObject({
          isFailed: true,
          attributes: { 'error.type': 'EENVELOPE' },
        });
        expect(await received(failed, 'process mail.send')).toMatchObject({ isFailed: true });
      } finally {
        mails.refuse(false);
      }
    });

    it('is never told where the one before it is not, and its jobs neither', async () => {
      const [untold, told] = [newTraceId(), newTraceId()];
      for (const [email, header] of [
        ['untold@example.nl', traceparent(untold, '00')],
        ['afterwards@example.nl', traceparent(told)],
      ] as const) {
        await admin
          .post('/organisations/1/invitations', { ...INVITATION, email })
          .set('traceparent', header)
          .expect(201);
        await mailTo(email);
      }
      await received(told, 'process mail.send');
      expect(collector.trace(untold)).toEqual([]);
    });

    it('holds no secret and nobody', async () => {
      const { body } = await anonymous(service)
        .post('/login', { username: ADMIN.username, password: ADMIN.password })
        .expect(200);
      const { hash } = body as { hash: string };
      await anonymous(service)
        .post('/login', { username: ADMIN.username, password: 'planted-guess' })
        .expect(401);
      await anonymous(service).post('/recovery', { username: ADMIN.username });
      const token = /\/([\w-]{20,})/.exec(mails.mails.map(({ text }) => text).join('\n'))?.[1] ?? '';
      expect(token).not.toBe('');
      await anonymous(service).get(`/registerInvitation/${token}`);
      const traceId = newTraceId();
      await new ApiClient(service.url, hash)
        .get('/organisations?filter=planted-filter')
        .set('traceparent', traceparent(traceId))
        .set('User-Agent', 'planted-program')
        .expect(200);
      await received(traceId, 'GET /v1/organisations');
      const told = collector.messages.map(({ text }) => text).join('\n');
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

describe('a process', () => {
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

  /** Packages of OpenTelemetry and files of ours that a process has loaded; the first is prom-client's own. */
  const loadedBy = (name: string): string[] => [
    ...new Set(
      readFileSync(files.path(name), 'utf8').match(/@opentelemetry\/(?!api\/)[\w-]+|tracing-sdk/g) ?? [],
    ),
  ];

  it('loads nothing for traces that it does not send', async () => {
    const { address, stop } = start('without');
    await work(await address);
    expect(await stop()).toMatchObject({ status: 0 });
    expect(readFileSync(files.path('without'), 'utf8')).toContain('prom-client');
    expect(loadedBy('without')).toEqual([]);
  });

  it('answers and stops whoever is silent where the traces go', async () => {
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

  it('logs once that its traces are lost, and once that they arrive again', async () => {
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
    await until(async () => {
      await client.get('/whoami').expect(200);
      return messages().length > 1;
    });
    expect(await stop()).toMatchObject({ status: 0, errors: '' });
    expect(messages()).toEqual([
      'traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not accept them',
      'traces are accepted again',
    ]);
    await collector.stop();
  });
});
