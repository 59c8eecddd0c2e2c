import { against, leftovers, NOTHING, qa, uncheckedReasons, type Report } from './support/qa';
import { startTestService, type TestService } from './support/service';

describe('npm run qa against Variant A with a service of Variant B on the same database', () => {
  let a: TestService;
  let b: TestService;
  beforeAll(async () => {
    a = await startTestService('A');
    b = await startTestService('B', { database: a.database });
  });
  afterAll(async () => {
    await b.stop();
    await a.stop();
  });

  it('checks all that another user does, whom the other service makes', async () => {
    const { output, status } = await qa([...against(a.url, 'A'), '--b-url', `${b.url}/v1/`, '--json']);
    const report = JSON.parse(output) as Report;
    const failed = report.results.filter(({ outcome }) => outcome === 'failed');
    expect({ failed, left: report.left, status }).toEqual({ failed: [], left: [], status: 0 });
    expect(uncheckedReasons(report).filter((reason) => /registered user/.test(reason))).toEqual([]);
    expect(uncheckedReasons(report)).toContain('needs to read a mail (--mail-dir and others)');
    expect(await leftovers(a)).toEqual(NOTHING);
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
