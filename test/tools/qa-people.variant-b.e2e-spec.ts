import { useFiles } from '../support/service/files';
import { against, leftovers, NOTHING, qa, uncheckedReasons, type Report } from '../support/service/qa';
import { startTestService, type TestService } from '../support/service/service';

describe('npm run qa against Variant A with a service of Variant B on the same database', () => {
  let a: TestService;
  let b: TestService;
  const files = useFiles();
  beforeAll(async () => {
    a = await startTestService('A', { settings: { worker: true, dataDir: files.folder } });
    b = await startTestService('B', { database: a.database });
  });
  afterAll(async () => {
    await b.stop();
    await a.stop();
  });

  const run = async (...args: string[]): Promise<Report> => {
    const { report, status } = await qa([
      ...against(a.url, 'A'),
      '--b-url',
      `${b.url}/v1/`,
      '--json',
      ...args,
    ]);
    const failed = report.results.filter(({ outcome }) => outcome === 'failed');
    expect({ failed, left: report.left, status }).toEqual({ failed: [], left: [], status: 0 });
    expect(await leftovers(a)).toEqual(NOTHING);
    return report;
  };

  it('checks what another user does, whom the other service makes', async () => {
    const report = await run('--only', 'teams', '--only', 'login', '--only', 'recovery');
    expect(uncheckedReasons(report)).toEqual(['needs to read a mail (--mail-dir and others)']);
  });

  it('checks every example when it can read the mails too', async () => {
    const { results } = await run('--mail-dir', files.path('mail'));
    expect(results.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect(results.length).toBeGreaterThan(250);
  });

  it('says when the other service knows nothing of its admin', async () => {
    const stranger = await startTestService('B');
    const { status, errors } = await qa([...against(a.url, 'A'), '--b-url', stranger.url]);
    await stranger.stop();
    expect(status).toBe(2);
    expect(errors).toContain('Could not create a user at the deployment that makes users: 401');
    expect(await leftovers(a)).toEqual(NOTHING);
  });
});
