import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { type MadeUser, makeCustomer, makeUser } from '../../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../../support/factories/key-factories';
import { makeSupportLogin } from '../../support/factories/support-factories';
import { freePort } from '../../support/faults/free-port';
import { askRaw, INSIDE_TARGETS } from '../../support/faults/raw-targets';
import { Wire } from '../../support/generators/access-calls';
import { useFiles } from '../../support/service/files';
import { useService } from '../../support/service/service';
import { until } from '../../support/service/until';

const RECIPES = join(__dirname, '../../../deploy/forward-auth');

/** How to start each proxy in a folder with its recipe; Traefik and Envoy are not at hand. */
const PROXIES = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    file: 'nginx.conf',
    wrap: (recipe: string) =>
      `daemon off; pid nginx.pid; error_log stderr; events {}
       http { access_log off; client_body_buffer_size 128k; client_body_temp_path b;
       proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s; ${recipe} }`,
    options: (folder: string) => ['-p', folder, '-c', join(folder, 'nginx.conf')],
  },
  {
    name: 'HAProxy',
    program: '/usr/sbin/haproxy',
    file: 'haproxy.cfg',
    wrap: (recipe: string, folder: string) => recipe.replace('/etc/haproxy', folder),
    options: (folder: string) => ['-db', '-f', join(folder, 'haproxy.cfg')],
  },
  {
    name: 'Caddy',
    program: '/usr/bin/caddy',
    file: 'Caddyfile',
    wrap: (recipe: string) => `{\n\tadmin off\n\tauto_https off\n}\n${recipe}`,
    options: (folder: string) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
  },
];

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

it('deploy/forward-auth has a recipe for each of five proxies, which knows every header of the answer', () => {
  const names = ['User', 'Service-Key', 'Username', 'Organisation', 'Roles', 'Credential', 'Read-Only'];
  for (const file of ['Caddyfile', 'nginx.conf', 'haproxy.cfg'])
    for (const name of [...names, 'Support', 'Act'])
      expect(readFileSync(join(RECIPES, file), 'utf8').toLowerCase()).toContain(
        `x-account-${name.toLowerCase()}`,
      );
  for (const file of ['Caddyfile', 'nginx.conf', 'haproxy.cfg', 'envoy.yaml', 'traefik.yaml'])
    for (const name of ['Forwarded-Method', 'Forwarded-Uri', 'Original-Method', 'HTTP-Method-Override'])
      expect(readFileSync(join(RECIPES, file), 'utf8').toLowerCase()).toContain(`x-${name.toLowerCase()}`);
  expect(readFileSync(join(RECIPES, 'envoy.yaml'), 'utf8')).toContain("name:find('^x%-account%-')");
  // ext_authz refuses every status but 200 (ext_authz.proto, HttpService).
  expect(readFileSync(join(RECIPES, 'envoy.yaml'), 'utf8')).toContain(`replace(':status', '200')`);
  expect(readFileSync(join(RECIPES, 'traefik.yaml'), 'utf8')).toContain('authResponseHeadersRegex');
});

// rule other-services 29: the tests below show it of the proxies that run.
it('deploy/forward-auth lets Traefik and Envoy pass on no name with an underscore', () => {
  const [, removed] = /authResponseHeadersRegex: \(\?i\)(\S+)/.exec(
    readFileSync(join(RECIPES, 'traefik.yaml'), 'utf8'),
  ) as RegExpExecArray;
  for (const name of ['X-Account-User', 'X-Account_User', 'X_Account-User', 'X_HTTP_Method_Override'])
    expect(name).toMatch(new RegExp(removed as string, 'i'));
  expect('Content-Type').not.toMatch(new RegExp(removed as string, 'i'));
  expect(readFileSync(join(RECIPES, 'envoy.yaml'), 'utf8')).toContain(
    'headers_with_underscores_action: REJECT_REQUEST',
  );
});

const service = useService('A', { settings: { trustedProxies: ['127.0.0.1'] } });
const files = useFiles();

for (const { name, program, file, wrap, options } of PROXIES) {
  // A proxy that is not installed is skipped.
  (existsSync(program) ? describe : describe.skip)(`behind ${name}`, () => {
    const children: ChildProcess[] = [];
    let behind: Server;
    let seen: IncomingHttpHeaders[];
    let wire: Wire | undefined;
    let port: number;
    let deadPort: number;

    /** Starts the proxy of the recipe in front of `behind`; it asks the account API at this port. */
    async function start(accountPort: number): Promise<number> {
      const place = mkdtempSync(files.path('run-'));
      cpSync(RECIPES, place, { recursive: true });
      const port = await freePort();
      const { port: behindPort } = behind.address() as AddressInfo;
      for (const name of [file, 'forward-auth.lua']) {
        const text = readFileSync(join(RECIPES, name), 'utf8')
          .replaceAll('127.0.0.1:3000', `127.0.0.1:${accountPort}`)
          .replaceAll('127.0.0.1:9000', `127.0.0.1:${behindPort}`)
          .replace(/(listen |bind :|^:)8080/m, (_, before: string) => `${before}${port}`);
        writeFileSync(join(place, name), name === file ? wrap(text, place) : text);
      }
      children.push(spawn(program, options(place), { stdio: 'ignore', cwd: place }));
      await until(() => isListening(port));
      return port;
    }

    beforeAll(async () => {
      behind = createServer((request, response) => {
        seen.push(request.headers);
        // Every header, as a page does that a developer looks at.
        request.resume().on('end', () => response.end(JSON.stringify(request.headers)));
      });
      await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
      port = await start(Number(new URL(service.url).port));
      wire = new Wire(`http://127.0.0.1:${port}`);
      deadPort = await start(await freePort());
    });
    beforeEach(() => (seen = []));
    afterAll(async () => {
      wire?.close();
      for (const child of children) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await ended;
      }
      behind.closeAllConnections();
      behind.close();
    });

    /** Its query is no demand of the proxy. */
    const PATH = '/zones?page=2&role=editor&organisation=all';

    const send = (
      hash: string | undefined,
      method = 'GET',
      headers: Record<string, string> = {},
      body?: object,
    ) => (wire as Wire).send({ method, path: PATH, hash, headers, body });

    const SMUGGLED = {
      'X-Account-User': '1',
      'x-account-roles': 'ROLE_ADMIN',
      'X-ACCOUNT-SUPPORT': 'true',
      'X-Account-Act': '1',
      X_Account_User: '1',
      'X_Account-Roles': 'ROLE_ADMIN',
      'X-Account_Act': '1',
      X_HTTP_Method_Override: 'DELETE',
      X_Forwarded_For: '192.0.2.7',
      'X-Forwarded-Method': 'GET',
      'X-Original-Method': 'GET',
      'X-HTTP-Method-Override': 'DELETE',
      'X-HTTP-Method': 'DELETE',
      'X-Method-Override': 'DELETE',
      'X-Forwarded-Uri': '/smuggled',
      'X-Forwarded-For': '192.0.2.7',
      'X-Real-IP': '192.0.2.7',
      Forwarded: 'for=192.0.2.7',
      'If-None-Match': '*',
      Connection:
        'keep-alive, X-Account-User, x-account-read-only, X-Account-Support, X-Account-Act, X-Forwarded-For',
    };

    /** What it sends of the client and of itself, beside `X-Account-*`. */
    const proxied = (headers: IncomingHttpHeaders | undefined) =>
      Object.fromEntries(
        Object.entries(headers ?? {}).filter(
          ([name, value]) => /forwarded|real-ip|method|authorization/.test(name) && value !== '',
        ),
      );

    const accountOf = (headers: IncomingHttpHeaders | undefined) =>
      Object.fromEntries(
        Object.entries(headers ?? {}).filter(([name, value]) => /^x[-_]account/.test(name) && value !== ''),
      );

    const expectedOf = (user: MadeUser, roles: string) => ({
      'x-account-user': String(user.id),
      'x-account-username': encodeURIComponent(user.username),
      'x-account-organisation': String(user.organisationId),
      ...(roles !== '' && { 'x-account-roles': roles }),
      'x-account-credential': 'login',
      'x-account-read-only': 'false',
    });

    it('passes on who asks, and nothing that the client says of itself', async () => {
      const { custadmin, plain } = await makeCustomer(service);
      for (const [user, roles] of [
        [custadmin, 'ROLE_CUSTADMIN'],
        [plain, ''],
      ] as const) {
        const answer = await send(user.client.hash, 'POST', SMUGGLED, { large: 'x'.repeat(50_000) });
        expect(answer).toMatchObject({ status: 200 });
        const headers = seen.at(-1);
        expect(accountOf(headers)).toEqual(expectedOf(user, roles));
        // Caddy and Traefik add whose host and scheme it was.
        const { 'x-forwarded-host': host, 'x-forwarded-proto': scheme, ...others } = proxied(headers);
        expect([undefined, `127.0.0.1:${port}`]).toContain(host);
        expect([undefined, 'http']).toContain(scheme);
        expect(others).toEqual({
          'x-forwarded-for': '127.0.0.1',
          ...(name !== 'Caddy' && { 'x-real-ip': '127.0.0.1' }),
        });
        // Some services read underscores as hyphens (rule other-services 29).
        expect(Object.keys(headers ?? {}).filter((header) => header.includes('_'))).toEqual([]);
        // A header without a value is one that the service behind may count as there.
        expect(Object.entries(headers ?? {}).filter(([, value]) => value === '')).toEqual([]);
      }
      const { id, client } = await makeServiceKey(service, plain.organisationId);
      await send(client.hash, 'GET', SMUGGLED);
      expect(accountOf(seen.at(-1))).toEqual({
        'x-account-service-key': String(id),
        'x-account-username': `servicekey%3A${id}`,
        'x-account-organisation': String(plain.organisationId),
        'x-account-credential': 'service_key',
        'x-account-read-only': 'false',
      });
    });

    it('passes on that staff acts, with a support login alone', async () => {
      const { custadmin } = await makeCustomer(service);
      const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
      const { hash } = await makeSupportLogin(service, custadmin.id, staff.id);
      await send(hash, 'GET', { ...SMUGGLED, 'X-Account-Support': 'false' });
      expect(accountOf(seen.at(-1))).toEqual({
        ...expectedOf(custadmin, 'ROLE_CUSTADMIN'),
        'x-account-read-only': 'true',
        'x-account-support': 'true',
        'x-account-act': String(staff.id),
      });
    });

    it('lets nobody in without a credential that counts, nor a read-only key write', async () => {
      const { plain } = await makeCustomer(service);
      const reading = await makeApiKey(service, plain.id, { readOnly: true });
      const ended = await makeUser(service, { organisationId: plain.organisationId });
      await service.sql`UPDATE users SET enabled = false WHERE id = ${ended.id}`;
      const elsewhere = await makeApiKey(service, plain.id, { whitelist: ['192.0.2.0/24'] });
      for (const [hash, method, status] of [
        [undefined, 'GET', 401],
        [undefined, 'OPTIONS', 401],
        ['f'.repeat(64), 'POST', 401],
        [ended.client.hash, 'GET', 401],
        [reading.client.hash, 'POST', 403],
        [reading.client.hash, 'DELETE', 403],
        [elsewhere.client.hash, 'GET', 403],
      ] as const) {
        const answer = await send(hash, method, { ...SMUGGLED, 'X-Forwarded-For': '192.0.2.7' });
        expect({ method, status: answer.status }).toEqual({ method, status });
      }
      expect(seen).toEqual([]);
      expect((await send(reading.client.hash, 'GET')).status).toBe(200);
    });

    it('asks nothing but the question, whatever the target, and passes none on unasked', async () => {
      service.logLines.length = 0;
      for (const target of [...INSIDE_TARGETS, '/_account_forward', '/v1/access/forward', '/v1/whoami']) {
        const { status } = await askRaw(`http://127.0.0.1:${port}`, target);
        expect({ target, isRefused: [0, 400, 401, 404].includes(status) }).toEqual({
          target,
          isRefused: true,
        });
      }
      expect(seen).toEqual([]);
      const routes = service.logLines.map((line) => (JSON.parse(line) as { route?: string }).route);
      expect([...new Set(routes)]).toEqual(['/v1/access/forward']);
    });

    it('answers 503 while the account API is away', async () => {
      const { plain } = await makeCustomer(service);
      const away = new Wire(`http://127.0.0.1:${deadPort}`);
      const answer = await away.send({ method: 'GET', path: '/zones', hash: plain.client.hash });
      away.close();
      expect(answer.status).toBe(503);
      expect(seen).toEqual([]);
    });
  });
}
