import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/faults/free-port';
import { askRaw, INSIDE_TARGETS } from '../support/faults/raw-targets';
import { useFiles } from '../support/service/files';
import { useServices } from '../support/service/service';
import { until } from '../support/service/until';
import { NEIGHBOUR } from '../support/service/variants';

const DEPLOY = join(__dirname, '../../deploy');

interface Ports {
  readonly proxy: number;
  readonly a: string;
  readonly b: string;
  /** For what else a recipe listens on. */
  readonly other: number;
}

/** The recipes with plain HTTP on one port, in front of the services of the test. */
const PROXIES = [
  {
    recipe: 'nginx/account-api.conf',
    program: '/usr/sbin/nginx',
    adapt: (text: string, { proxy, a, b }: Ports) =>
      `daemon off; pid nginx.pid; error_log stderr; events {}
       http { access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f;
       uwsgi_temp_path u; scgi_temp_path s;
       ${text
         .replaceAll(/10\.0\.0\.1[12]:3000/g, `127.0.0.1:${a}`)
         .replaceAll(/10\.0\.0\.1[12]:3001/g, `127.0.0.1:${b}`)
         .replace('listen 443 ssl', `listen 127.0.0.1:${proxy}`)
         .replaceAll(/^ *ssl_.*$/gm, '')} }`,
    options: (folder: string, file: string) => ['-p', folder, '-c', file],
  },
  {
    recipe: 'haproxy/haproxy.cfg',
    program: '/usr/sbin/haproxy',
    adapt: (text: string, { proxy, a, b }: Ports) =>
      text
        .replaceAll(/10\.0\.0\.1[12]:3000/g, `127.0.0.1:${a}`)
        .replaceAll(/10\.0\.0\.1[12]:3001/g, `127.0.0.1:${b}`)
        .replace(/bind :443 ssl .*/, `bind 127.0.0.1:${proxy}`),
    options: (_: string, file: string) => ['-db', '-f', file],
  },
  {
    recipe: 'cluster/haproxy.cfg',
    program: '/usr/sbin/haproxy',
    adapt: (text: string, { proxy, a, b, other }: Ports) =>
      text
        .replaceAll(/api-a[12]:3000/g, `127.0.0.1:${a}`)
        .replaceAll(/api-b[12]:3000/g, `127.0.0.1:${b}`)
        .replace('bind :8080', `bind 127.0.0.1:${proxy}`)
        .replace('bind :5000', `bind 127.0.0.1:${other}`),
    options: (_: string, file: string) => ['-db', '-f', file],
  },
];

/** The host names of the recipes. */
const HOSTS = ['api.example.com', 'legacy.example.com'];

const files = useFiles();
const [a, b] = useServices(['A', NEIGHBOUR], { settings: { trustedProxies: ['127.0.0.1'] } });

for (const { recipe, program, adapt, options } of PROXIES) {
  // A proxy that is not installed is skipped.
  (existsSync(program) ? describe : describe.skip)(`behind deploy/${recipe}`, () => {
    let child: ChildProcess;
    let url: string;

    beforeAll(async () => {
      const folder = mkdtempSync(files.path('run-'));
      const proxy = await freePort();
      const ports = { proxy, a: new URL(a.url).port, b: new URL(b.url).port, other: await freePort() };
      const text = adapt(readFileSync(join(DEPLOY, recipe), 'utf8'), ports);
      expect(text).not.toMatch(/:443\b|10\.0\.0|\bapi-[ab]\d:/);
      const file = join(folder, 'proxy.conf');
      writeFileSync(file, text);
      child = spawn(program, options(folder, file), { stdio: 'ignore', cwd: folder });
      url = `http://127.0.0.1:${proxy}`;
      await until(async () => {
        const answer = await askRaw(url, '/v1/whoami').catch(() => undefined);
        return answer?.status === 401;
      });
    });
    afterAll(async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    });

    it.each(HOSTS)('%s has what is named, as clients write it', async (host) => {
      for (const [target, status] of [
        ['/v1/whoami', 401],
        ['/v1', 404],
        ['/V1/whoami/', 401],
        ['//v1//whoami', 401],
        ['/v1/whoami?a[]=1&b={"c":"|d|^e"}', 401],
        [`http://${host}/v1/whoami`, 401],
        ['/v1/nowhere', 404],
        ['/v1/organisations/%5c', 401],
        ['/.well-known/change-password', 302],
        ['/docs', 200],
        ['/docs/openapi.json', 200],
        ['/account/pages.css', 200],
      ] as const) {
        const { status: seen, headers } = await askRaw(url, target, { Host: host });
        expect({ target, status: seen }).toEqual({ target, status });
        expect([target, /^x-request-id: /im.test(headers)]).toEqual([target, true]);
      }
    });

    it.each(HOSTS)('%s has nothing of what is inside, however it is written', async (host) => {
      for (const target of INSIDE_TARGETS) {
        const { status, body } = await askRaw(url, target, { Host: host });
        expect({ target, isRefused: [400, 401, 404].includes(status) || status === 0 }).toEqual({
          target,
          isRefused: true,
        });
        expect([target, /http_requests_total|"status":|"ok"/.test(body)]).toEqual([target, false]);
      }
    });

    it.each(HOSTS)('%s asks the service for nothing that is not named', async (host) => {
      for (const target of [
        '/',
        '/v1x',
        '/v2/login',
        '/docsx',
        '/accounts',
        '/favicon.ico',
        '/x/v1/whoami',
        '/access',
      ]) {
        const { status, headers } = await askRaw(url, target, { Host: host });
        expect({ target, status }).toEqual({ target, status: 404 });
        expect(headers).not.toMatch(/^x-request-id: /im);
      }
    });
  });
}
