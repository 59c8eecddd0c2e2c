import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../support/faults/free-port';
import { urlOf } from '../support/faults/proxy';
import { useFiles } from '../support/service/files';
import { until } from '../support/service/until';

const files = useFiles();
const PAGE = readFileSync(join(__dirname, '../../docs/switch-over.md'), 'utf8');

/** The block of a language, as the page prints it. */
function printed(language: string): string {
  const [, block] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(PAGE) ?? [];
  if (block === undefined) throw new Error(`docs/switch-over.md has no block of ${language}`);
  return block;
}

/** With what differs on this machine; everything else stays as it is printed. */
const adapted = (text: string, changes: Readonly<Record<string, string>>): string =>
  Object.entries(changes).reduce((result, [there, here]) => {
    expect(result).toContain(there);
    return result.replaceAll(there, here);
  }, text);

const isThere = (program: string): boolean => spawnSync(program, ['-v']).error === undefined;

let servers: Server[] = [];
let proxy: ChildProcess | undefined;
const calls: Record<'old' | 'new', string[]> = { old: [], new: [] };

async function start(name: 'old' | 'new'): Promise<string> {
  const server = createServer(({ method, url, headers: { authorization } }, response) => {
    calls[name].push(`${method} ${url} ${authorization}`);
    response.end(name);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return urlOf(server).replace('http://', '');
}

beforeEach(() => Object.assign(calls, { old: [], new: [] }));

afterEach(async () => {
  if (proxy !== undefined && proxy.exitCode === null) {
    proxy.kill('SIGTERM');
    await once(proxy, 'exit');
  }
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

const answering = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Sends reads and a write through the proxy, and looks where they arrive, also without the new server. */
async function expectToMirror(url: string): Promise<void> {
  await until(() => answering(`${url}/v1/ready`));
  Object.assign(calls, { old: [], new: [] });
  const headers = { authorization: 'a "credential"' };
  const send = async (method: string, path: string) =>
    (await fetch(`${url}${path}`, { method, headers })).text();
  expect(await send('GET', '/v1/organisations?limit=2')).toBe('old');
  expect(await send('POST', '/v1/organisations')).toBe('old');
  await send('HEAD', '/v1/whoami');
  const reads = ['GET /v1/organisations?limit=2 a "credential"', 'HEAD /v1/whoami a "credential"'];
  await until(async () => calls.new.length === reads.length);
  expect(calls.new.toSorted()).toEqual(reads);
  expect(calls.old).toHaveLength(3);
  servers.at(1)?.closeAllConnections();
  servers.at(1)?.close();
  expect(await send('GET', '/v1/whoami')).toBe('old');
  expect(await send('GET', '/v1/whoami')).toBe('old');
}

(isThere('nginx') ? it : it.skip)(
  'docs/switch-over.md: its nginx mirrors reads to the new server, and no write',
  async () => {
    const [old, fresh, port] = [await start('old'), await start('new'), await freePort()];
    const log = files.path('requests.jsonl');
    const site = adapted(printed('nginx'), {
      '10.0.0.5:80': old,
      '10.0.0.11:3001': fresh,
      'listen 8080': `listen 127.0.0.1:${port}`,
      '/var/log/nginx/requests.jsonl': log,
    });
    const { folder } = files;
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const main = files.write(
      'nginx.conf',
      `pid ${folder}/pid; daemon off; error_log ${folder}/error; events {} http { ${temporary.join(' ')} ${site} }`,
    );
    proxy = spawn('nginx', ['-c', main, '-e', `${folder}/error`], { stdio: 'ignore' });
    await expectToMirror(`http://127.0.0.1:${port}`);
    const recorded = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(recorded).toContainEqual({
      method: 'GET',
      path: '/v1/organisations?limit=2',
      headers: { authorization: 'a "credential"' },
    });
  },
);

(isThere('haproxy') ? it : it.skip)(
  'docs/switch-over.md: its HAProxy mirrors reads to the new server, and no write',
  async () => {
    const [old, fresh, port] = [await start('old'), await start('new'), await freePort()];
    const script = files.write('mirror.lua', adapted(printed('lua'), { '10.0.0.11:3001': fresh }));
    const configuration = adapted(printed('haproxy'), {
      '10.0.0.5:80': old,
      'bind :8080': `bind 127.0.0.1:${port}`,
      '/etc/haproxy/mirror.lua': script,
    });
    proxy = spawn('haproxy', ['-f', files.write('haproxy.cfg', configuration)], { stdio: 'ignore' });
    await expectToMirror(`http://127.0.0.1:${port}`);
  },
);
