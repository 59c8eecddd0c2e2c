import { randomBytes } from 'node:crypto';
import { writeFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { BUILD } from '@app/core/environment/build';
import { createLogger } from '@app/core/logging/logger';
import { Tracer, tracerOf } from '@app/core/tracing/tracer';
import { anonymous, ApiClient, asAdmin } from './support/client';
import { makeContact } from './support/contacts-factories';
import { createTestDatabase, type TestDatabase } from './support/databases';
import { makeCustomer, makeOrganisation, makeUser, PASSWORD } from './support/factories';
import { runJobs } from './support/jobs';
import { spawnSource, startServiceProcess, type ServiceProcess } from './support/processes';
import { ADMIN, startTestService, TEST_SECRETS_KEY, testSettings, type TestService } from './support/service';
import { startMailServer, type TestMailServer } from './support/smtp';
import { startTraceCollector, type ReceivedSpan, type TraceCollector } from './support/trace-collector';
import { until } from './support/until';

const newTraceId = (): string => randomBytes(16).toString('hex');
const PARENT = 'b7ad6b7169203331';
const traceparent = (traceId: string, flags = '01'): string => `00-${traceId}-${PARENT}-${flags}`;

const INVITATION = {
  email: 'planted.person@example.nl',
  firstName: 'Planted-Jan',
  lastName: 'Planted-Vries',
};

describe('the trace of a request', () => {
  let collector: TraceCollector;
  let mails: TestMailServer;
  let service: TestService;
  let admin: ApiClient;

  const startService = (settings: Parameters<typeof startTestService>[1] = {}): Promise<TestService> =>
    startTestService('A', {
      ...settings,
      settings: {
        otlpEndpoint: collector.url,
        otlpHeaders: { 'x-key': 'of the operator' },
        trustedProxies: ['127.0.0.0/8'],
        publicUrl: 'https://api.panel.example/account',
        smtpUrl: mails.url,
        ...settings.settings,
      },
    });

  /** Waits for a span of a trace. */
  async function received(traceId: string, name: string): Promise<ReceivedSpan> {
    const find = (): ReceivedSpan | undefined => collector.trace(traceId).find((span) => span.name === name);
    await until(() => find() !== undefined);
    return find() as ReceivedSpan;
  }

  beforeAll(async () => {
    collector = await startTraceCollector();
    mails = await startMailServer();
    service = await startService();
    admin = await asAdmin(service);
  });
  afterAll(async () => {
    await service.stop();
    await mails.stop();
    await collector.stop();
  });

  it('goes on from the one that a trusted proxy names, over the query of the guard to the read', async () => {
    const { organisationId, plain } = await makeCustomer(service);
    const traceId = newTraceId();
    await admin
      .get(`/organisations/${organisationId}/users/${plain.id}`)
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
    expect(collector.beneath(span)).toEqual(['access', 'SELECT users']);
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

  it('goes on over the write and the job to the mail, and to what became of it', async () => {
    const organisation = await makeOrganisation(service);
    const traceId = newTraceId();
    await admin
      .post(`/organisations/${organisation}/invitations`, { ...INVITATION, autoRoles: 'ROLE_CUSTADMIN' })
      .set('traceparent', traceparent(traceId))
      .set('tracestate', 'vendor=value')
      .expect(201);
    const [job] = await service.sql<{ payload: Record<string, unknown> }>(
      `SELECT payload FROM graphile_worker._private_jobs WHERE payload ->> 'to' = $1`,
      [INVITATION.email],
    );
    await runJobs(service);
    expect(mails.mails).toHaveLength(1);
    const mail = await received(traceId, 'mail invitation');
    expect(collector.wayTo(mail)).toEqual([
      'POST /v1/organisations/:organisationId/invitations',
      'transaction',
      'send mail.send',
      'process mail.send',
      'mail invitation',
    ]);
    expect(mail).toMatchObject({
      kind: 'client',
      attributes: { 'server.address': '127.0.0.1', 'server.port': Number(new URL(mails.url).port) },
    });
    const sending = await received(traceId, 'send mail.send');
    expect(sending.kind).toBe('producer');
    expect(job?.payload).toMatchObject({
      traceparent: `00-${traceId}-${sending.spanId}-01`,
      tracestate: 'vendor=value',
    });
    expect(await received(traceId, 'process mail.send')).toMatchObject({
      kind: 'consumer',
      attributes: { 'messaging.destination.name': 'mail.send', 'account_api.job.attempt': 1 },
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
    const statements = collector.trace(traceId).map(({ name }) => name);
    expect(statements).toEqual(expect.arrayContaining(['START TRANSACTION', 'COMMIT', 'access']));
    // A trace is nobody's business but the operator's.
    expect(mails.mails[0]?.raw).not.toContain(traceId);
  });

  it('goes on in the process of a worker', async () => {
    const organisation = await makeOrganisation(service);
    const traceId = newTraceId();
    await admin
      .post(`/organisations/${organisation}/invitations`, { ...INVITATION, email: 'other@example.nl' })
      .set('traceparent', traceparent(traceId))
      .expect(201);
    const worker = spawnSource('apps/worker/main.ts', [], {
      DATABASE_URL: service.database.url,
      SECRETS_KEY: TEST_SECRETS_KEY,
      SMTP_URL: mails.url,
      LOG_LEVEL: 'silent',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_SERVICE_NAME: 'account-worker',
    });
    const ended = new Promise((resolve) => worker.once('close', resolve));
    try {
      const mail = await received(traceId, 'mail invitation');
      expect(mail.resource).toMatchObject({ 'service.name': 'account-worker' });
      expect(collector.wayTo(mail).slice(-3)).toEqual([
        'send mail.send',
        'process mail.send',
        'mail invitation',
      ]);
    } finally {
      worker.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
  });

  it('is passed over by a process that sends none, which does the job all the same', async () => {
    const plain = await startTestService('A', {
      database: service.database,
      settings: { smtpUrl: mails.url },
    });
    const traceId = newTraceId();
    const seen = mails.mails.length;
    try {
      await admin
        .post('/organisations/1/invitations', { ...INVITATION, email: 'plain@example.nl' })
        .set('traceparent', traceparent(traceId))
        .expect(201);
      await runJobs(plain);
    } finally {
      await plain.stop();
    }
    expect(mails.mails.slice(seen).map(({ to }) => to)).toEqual([['plain@example.nl']]);
    await received(traceId, 'send mail.send');
    expect(collector.trace(traceId).filter(({ kind }) => kind === 'consumer')).toEqual([]);
    expect(plain.logLines.join('')).not.toContain('trace_id');
  });

  it('is another for each of the mails that one job writes, with a link', async () => {
    const organisation = await makeOrganisation(service);
    const user = await makeUser(service, { organisationId: organisation, username: 'told@example.nl' });
    await makeContact(service, { organisationId: organisation, groups: ['System'] });
    const traceId = newTraceId();
    await user.client
      .post(`/organisations/${organisation}/users/${user.id}/changepassword`, {
        oldPassword: PASSWORD,
        password: 'An0ther-Passw0rd',
      })
      .set('traceparent', traceparent(traceId))
      .expect(200);
    await runJobs(service);
    // The mail to the own name is written by itself, those to contacts together.
    const own = await received(traceId, 'mail ownNotification');
    expect(collector.wayTo(own)).toContain('send notifications.deliver');
    const delivery = (): ReceivedSpan | undefined =>
      collector.spans.find(({ name, links }) => name === 'process notifications.deliver' && links.length > 0);
    await until(() => delivery() !== undefined);
    const [link] = delivery()?.links ?? [];
    expect(link?.traceId).toBe(traceId);
    const sending = collector.spans.find(({ spanId }) => spanId === link?.spanId);
    expect(collector.wayTo(sending).slice(-3)).toEqual([
      'process notifications.expand',
      'transaction',
      'send notifications.deliver',
    ]);
    expect(delivery()).toMatchObject({ kind: 'consumer' });
    expect(delivery()?.traceId).not.toBe(traceId);
    expect(collector.beneath(delivery())).toContain('mail notification');
  });

  it('has its ids in the lines of the log', async () => {
    const traceId = newTraceId();
    await admin.get('/whoami').set('traceparent', traceparent(traceId)).expect(200);
    const { spanId } = await received(traceId, 'GET /v1/whoami');
    const lines = service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ trace_id }) => trace_id === traceId)).toMatchObject({
      route: '/v1/whoami',
      span_id: spanId,
    });
    const sent = lines.find(({ msg }) => msg === 'mail sent');
    const span = collector.spans.find(({ spanId }) => spanId === sent?.['span_id']);
    expect(span).toMatchObject({ name: 'process mail.send', traceId: sent?.['trace_id'] });
  });

  it('tells a failure by a word, and a path that leads nowhere not at all', async () => {
    const [failed, unknown] = [newTraceId(), newTraceId()];
    mails.refuse(true);
    try {
      await admin
        .post('/organisations/1/invitations', { ...INVITATION, email: 'refused@example.nl' })
        .set('traceparent', traceparent(failed))
        .expect(201);
      await runJobs(service);
    } finally {
      mails.refuse(false);
    }
    expect(await received(failed, 'mail invitation')).toMatchObject({
      isFailed: true,
      attributes: { 'error.type': 'EENVELOPE' },
    });
    expect(await received(failed, 'process mail.send')).toMatchObject({ isFailed: true });
    await admin.get('/planted-path').set('traceparent', traceparent(unknown)).expect(404);
    const span = await received(unknown, 'GET');
    expect(span).toMatchObject({ isFailed: false, attributes: { 'http.response.status_code': 404 } });
    expect(span.attributes).not.toHaveProperty('http.route');
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

  it('is never told where the one before it is not, and its jobs neither', async () => {
    const [untold, told] = [newTraceId(), newTraceId()];
    await admin
      .post('/organisations/1/invitations', { ...INVITATION, email: 'untold@example.nl' })
      .set('traceparent', traceparent(untold, '00'))
      .expect(201);
    await runJobs(service);
    await admin.get('/whoami').set('traceparent', traceparent(told)).expect(200);
    await received(told, 'GET /v1/whoami');
    expect(collector.trace(untold)).toEqual([]);
  });

  it('is one of its own where no trusted proxy stands in front, whatever the client sends', async () => {
    const strict = await startService({
      database: service.database,
      settings: { trustedProxies: [], otelServiceName: 'strict' },
    });
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
      database: service.database,
      settings: { otelTracesSampler: 'parentbased_traceidratio', otelTracesSamplerArg: 0 },
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
    const seen = collector.spans.length;
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect((await fetch(`${service.url}${path}`)).status).toBe(200);
    const traceId = newTraceId();
    await admin.get('/whoami').set('traceparent', traceparent(traceId)).expect(200);
    await received(traceId, 'GET /v1/whoami');
    expect(collector.spans.slice(seen).filter((span) => span.traceId !== traceId)).toEqual([]);
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
    await runJobs(service);
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
    for (const secret of [hash, token, PASSWORD, ADMIN.password, ADMIN.username, 'An0ther', admin.hash ?? ''])
      expect(told).not.toContain(secret);
    expect(told).not.toMatch(/planted|example\.(nl|com)|\$2b\$|user-agent/i);
  });
});

describe('whoever takes the traces', () => {
  let collector: TraceCollector;
  let tracer: Tracer | null;
  const lines: string[] = [];
  const messagesOfLog = (): unknown[] => lines.map((line) => (JSON.parse(line) as { msg?: string }).msg);

  afterEach(async () => {
    await tracer?.close();
    await collector.stop();
  });

  /** A message is sent at once when so many wait. */
  const tellMany = (): void => {
    for (let count = 0; count < 512; count++) tracer?.begin('test', {}).end();
  };

  it('is missed once in the log when away, and once when back', async () => {
    collector = await startTraceCollector();
    const port = Number(new URL(collector.url).port);
    await collector.stop();
    const settings = testSettings('A', { otlpEndpoint: collector.url, otlpTimeout: 100 });
    const logger = createLogger(settings, { write: (line: string) => void lines.push(line) });
    tracer = tracerOf(settings, '1', logger);
    for (let round = 0; round < 4; round++) tellMany();
    await until(() => lines.length > 0);
    collector = await startTraceCollector(port);
    await until(() => {
      tellMany();
      return collector.spans.length > 0;
    });
    await until(() => lines.length > 1);
    expect(messagesOfLog()).toEqual([
      'traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not take them',
      'traces are taken again',
    ]);
  });
});

describe('a process', () => {
  let database: TestDatabase;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await database.drop();
  });

  /** Writes down what it has loaded when it ends. */
  const folder = mkdtempSync(join(tmpdir(), 'account-api-loaded-'));
  const witness = join(folder, 'witness.cjs');
  writeFileSync(
    witness,
    `process.on('exit', () => require('node:fs').writeFileSync(process.env.LOADED, Object.keys(require.cache).join('\\n')));`,
  );

  function start(name: string, settings: Record<string, string> = {}): ServiceProcess {
    const started = startServiceProcess({
      DATABASE_URL: database.url,
      SECRETS_KEY: TEST_SECRETS_KEY,
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      BCRYPT_COST: '4',
      PORT: '0',
      NODE_OPTIONS: `--require=${witness}`,
      LOADED: join(folder, name),
      ...settings,
    });
    children.push(started.child);
    return started;
  }

  async function logIn(url: string): Promise<ApiClient> {
    const { body } = await new ApiClient(url)
      .post('/login', { username: ADMIN.username, password: ADMIN.password })
      .expect(200);
    return new ApiClient(url, (body as { hash: string }).hash);
  }

  async function work(url: string): Promise<void> {
    await (await logIn(url)).get('/whoami').expect(200);
  }

  /** Packages of OpenTelemetry and files of ours that a process has loaded; the first is prom-client's own. */
  const loadedBy = (name: string): string[] => [
    ...new Set(
      readFileSync(join(folder, name), 'utf8').match(/@opentelemetry\/(?!api\/)[\w-]+|otlp-tracer/g) ?? [],
    ),
  ];

  it('loads nothing for traces that it does not send', async () => {
    const { child, address, ended } = start('without');
    await work(await address);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, 'without'), 'utf8')).toContain('prom-client');
    expect(loadedBy('without')).toEqual([]);
  });

  it('answers and stops whoever is silent where the traces go', async () => {
    const collector = await startTraceCollector();
    collector.hang(true);
    const { child, address, ended } = start('with', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    });
    const url = await address;
    await work(url);
    await until(() => collector.unanswered() > 0);
    await work(url);
    const begun = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0, errors: '' });
    // The minute of the time-out would pass else.
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(loadedBy('with')).toContain('@opentelemetry/sdk-trace');
    await collector.stop();
  });

  it('tells of each member of a group by itself', async () => {
    const collector = await startTraceCollector();
    const { child, address, ended } = start('group', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      PROCESSES: '2',
    });
    const url = await address;
    const instances = (): Set<unknown> =>
      new Set(collector.spans.map(({ resource }) => resource['service.instance.id']));
    // Not by logging in again and again, of which there is a limit.
    const client = await logIn(url);
    await until(async () => {
      await client.get('/whoami').expect(200);
      return instances().size === 2;
    });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
    await collector.stop();
  });
});
