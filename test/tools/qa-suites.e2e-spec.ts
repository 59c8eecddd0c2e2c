import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type PerVariant, type Variant, VARIANTS } from '../../qa/variants';
import { hasStatus } from '../../tools/qa/has-status';
import { startProxy, urlOf } from '../support/faults/proxy';
import { useFiles } from '../support/service/files';
import { leftovers, NOTHING } from '../support/service/qa';
import { ADMIN, startTestService, type TestService, useService } from '../support/service/service';

/** Whether a user has API keys, which are the example's subject. */
const HAS_API_KEYS: PerVariant<boolean> = { A: true, B: false };

const CREATED = 'is created and shown once: POST /organisations/{organisationId}/users/{userId}/apikeys';

const ROOT = resolve(__dirname, '../..');

interface Outcome {
  readonly status: number | null;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  readonly messages: string;
}

interface JestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Runs the suites of `qa/suites` as `npm run qa:suites` does. */
function suites(environment: Readonly<Record<string, string>>): Promise<Outcome> {
  const child = spawn(process.execPath, ['scripts/qa-suites.mjs', '--json'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  return new Promise((settle) =>
    child.once('close', (status) => {
      const { testResults } = JSON.parse(output) as JestReport;
      const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
      const titles = (wanted: string) =>
        tests.filter((test) => test.status === wanted).map(({ title }) => title);
      settle({
        status,
        passed: titles('passed'),
        failed: titles('failed'),
        skipped: titles('pending'),
        messages: testResults
          .map(({ message }) => message)
          .join('\n')
          .trim(),
      });
    }),
  );
}

const targetOf = ({ url }: TestService, variant: Variant) => ({
  QA_URL: url,
  QA_VARIANT: variant,
  QA_ADMIN_USER: ADMIN.username,
  QA_ADMIN_PASSWORD: ADMIN.password,
});

describe.each(VARIANTS)('npm run qa:suites against Variant %s', (variant) => {
  const files = useFiles();
  const service = useService(variant, { settings: { worker: true, dataDir: files.folder } });

  const environment = () => ({ ...targetOf(service, variant), QA_MAIL_DIR: files.path('mail') });

  it('passes, skips what the other variant has and leaves nothing behind', async () => {
    const { status, passed, failed, skipped, messages } = await suites(environment());
    expect({ status, failed, messages }).toEqual({ status: 0, failed: [], messages: '' });
    expect(HAS_API_KEYS[variant] ? passed : skipped).toContain(CREATED);
    expect(passed).toContain('logs a colleague in, with supertest alone');
    expect(await leftovers(service)).toEqual(NOTHING);
  });

  it('exits with 1 where the deployment responds otherwise', async () => {
    const proxy = await startProxy(service.url, (text) => text.replaceAll('"192.0.2.7"', '"192.0.2.8"'));
    const { status, failed, messages } = await suites({ ...environment(), QA_URL: urlOf(proxy) });
    proxy.close();
    if (HAS_API_KEYS[variant]) {
      expect(failed).toContain(CREATED);
      expect(messages).toContain('body.apiKey.whitelist[0] is \\"192.0.2.8\\", expected \\"192.0.2.7\\"');
    }
    expect(status).toBe(HAS_API_KEYS[variant] ? 1 : 0);
    expect(await leftovers(service)).toEqual(NOTHING);
  });
});

it('docs/qa.md shows a suite that npm run qa:suites runs', () => {
  const [, sample] =
    /^```ts\n(import [^]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs/qa.md'), 'utf8')) ?? [];
  expect(sample).toBe(readFileSync(join(ROOT, 'tools/qa/suites/api-keys.qa-spec.ts'), 'utf8'));
});

it('npm run qa:suites exits with 1 without QA_URL and its like, and where a need cannot be met', async () => {
  const { status, messages } = await suites({ QA_URL: 'http://localhost' });
  expect(status).toBe(1);
  expect(messages).toContain('Set QA_URL, QA_VARIANT, QA_ADMIN_USER and QA_ADMIN_PASSWORD');
  await using service = await startTestService('A');
  const outcome = await suites(targetOf(service, 'A'));
  expect(outcome.status).toBe(1);
  expect(outcome.messages).toContain('This scenario needs a registered user');
});

it('hasStatus says why a service refused', () => {
  const refused = { status: 500, text: '{}', body: { code: 500, reason: 'ROLE_REQUIRED' } };
  const body = { ...refused.body, message: 'Insufficient role', requestId: 'r-1' };
  expect(() => hasStatus(200)({ ...refused, body })).toThrow(
    'expected 200, got 500: ROLE_REQUIRED, Insufficient role; request r-1',
  );
  expect(() => hasStatus(200)({ status: 502, body: {}, text: '<h1>Bad Gateway</h1>' })).toThrow(
    'expected 200, got 502: <h1>Bad Gateway</h1>',
  );
  expect(() => hasStatus(500)({ ...refused, body })).not.toThrow();
});
