import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { examplesOf } from '../../qa/scenario';
import { SCENARIOS } from '../../qa/scenarios/all';
import { freePort } from '../support/faults/free-port';
import { useFiles } from '../support/service/files';
import {
  against,
  faultsIn,
  interruptAt,
  leftovers,
  NOTHING,
  qa,
  type Report,
  uncheckedReasons,
} from '../support/service/qa';
import { startTestService, type TestService, useService } from '../support/service/service';

const failedIn = ({ results, left }: Report): object[] => [
  ...results.filter(({ outcome }) => outcome === 'failed'),
  ...left.map((path) => ({ path })),
];

/** The areas whose examples read mails, each kind of secret among them. */
const READING_MAILS = ['invitations', 'registration', 'recovery', 'documents'];
const ONLY_READING_MAILS = READING_MAILS.flatMap((area) => ['--only', area]);

/** Every example that Variant A has, of these areas or of all, was sent and found as written. */
function expectAllChecked(
  { report, status }: Awaited<ReturnType<typeof qa>>,
  areas?: readonly string[],
): void {
  expect({ failed: failedIn(report), unchecked: uncheckedReasons(report), status }).toEqual({
    failed: [],
    unchecked: [],
    status: 0,
  });
  const samples = SCENARIOS.filter(({ area }) => areas?.includes(area) ?? true).flatMap((scenario) =>
    examplesOf(scenario, 'A'),
  );
  expect(report.results.length).toBe(samples.length);
  expect(samples.length).toBeGreaterThan(areas === undefined ? 270 : 40);
}

describe('npm run qa with the mails of a deployment of Variant A', () => {
  let service: TestService;
  const files = useFiles();
  afterEach(async () => {
    expect(await leftovers(service)).toEqual(NOTHING);
    await service.stop();
  });

  it('--mail-dir checks every example', async () => {
    service = await startTestService('A', { settings: { worker: true, dataDir: files.folder } });
    const ended = await qa([...against(service.url, 'A'), '--mail-dir', files.path('mail'), '--json']);
    expect(faultsIn(ended.errors)).toBe('');
    expectAllChecked(ended);
  });

  it('--smtp checks what reads mails, as the mail server of the deployment', async () => {
    const port = await freePort();
    const smtpUrl = `smtp://user:word@127.0.0.1:${port}`;
    service = await startTestService('A', { settings: { worker: true, smtpUrl } });
    expectAllChecked(
      await qa([
        ...against(service.url, 'A'),
        '--smtp',
        `127.0.0.1:${port}`,
        '--mail-domain',
        'qa.example',
        '--json',
        ...ONLY_READING_MAILS,
      ]),
      READING_MAILS,
    );
    const [people] = await service.sql(
      `SELECT count(*)::integer AS elsewhere FROM invitations WHERE email NOT LIKE '%@qa.example'`,
    );
    expect(people).toEqual({ elsewhere: 0 });
  });
});

describe('npm run qa where no mail arrives', () => {
  const service = useService('A');
  afterEach(async () => expect(await leftovers(service)).toEqual(NOTHING));

  it('exits with 2 after --mail-wait', async () => {
    const { status, errors } = await qa([
      ...against(service.url, 'A'),
      '--mail-dir',
      '/nowhere',
      '--mail-wait',
      '1',
    ]);
    expect(status).toBe(2);
    expect(errors).toMatch(/no mail to qa-\w+-1@example\.com came to \/nowhere within 1 s/);
  });

  it('exits with 130 when it is interrupted', async () => {
    const { status } = await qa(
      [...against(service.url, 'A'), '--mail-dir', '/nowhere'],
      interruptAt(service, /invitations/),
    );
    expect(status).toBe(130);
  });
});

it('npm run qa --smtp exits with 2 and says why it cannot listen', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { status, errors } = await qa([...against('http://localhost', 'A'), '--smtp', String(port)]);
  taken.close();
  expect(status).toBe(2);
  expect(errors).toContain('Could not read mails: listen EADDRINUSE');
});
