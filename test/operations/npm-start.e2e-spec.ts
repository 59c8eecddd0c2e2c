import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { ApiClient } from '../support/service/client';
import { useFiles } from '../support/service/files';
import { until } from '../support/service/until';

/** Seconds: the first start of a checkout builds it. */
const BUILD_TIMEOUT = 300;

const files = useFiles();
let running: ChildProcessByStdio<null, Readable, Readable> | undefined;
afterAll(() => {
  running?.kill('SIGKILL');
});

/** What an operator types, in this tree: it builds only if `dist` is older than the sources. */
function npmStart(settings: NodeJS.ProcessEnv): { text: () => string; ended: Promise<number | null> } {
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: resolve(__dirname, '../..'),
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running = child;
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()));
  const ended = new Promise<number | null>((settle) => child.once('close', settle));
  return { text: () => text, ended };
}

it(
  'npm start prints an address and a password that POST /login takes, ends with 0 at SIGTERM, and says how to replace a lost password',
  async () => {
    const settings = { DATA_DIR: files.path('data'), PORT: '0' };
    const first = npmStart(settings);
    await until(() => first.text().includes('curl -s') || running?.exitCode !== null, BUILD_TIMEOUT);
    const [, url = first.text()] = /is ready at (http:\/\/localhost:\d+)\/v1\n/.exec(first.text()) ?? [];
    const [, username] = /^ {2}Admin +(\S+)$/m.exec(first.text()) ?? [];
    const [, password] = /^ {2}Password +(\S+) {3}\(shown this once/m.exec(first.text()) ?? [];
    const { body } = await new ApiClient(url).post('/login', { username, password }).expect(200);
    expect(body).toMatchObject({ hash: expect.any(String) as string });
    running?.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.text()).toMatch(/"msg":"stopped"\}\n$/);

    const second = npmStart(settings);
    await until(() => second.text().includes('curl -s') || running?.exitCode !== null);
    running?.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(second.text()).toContain(`to set a new one: npm run cli -- user set-password ${username}\n`);
  },
  BUILD_TIMEOUT * 1000,
);
