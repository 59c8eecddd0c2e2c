import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from '../qa/deployment';
import { samplesOf } from '../qa/sample';
import { Situation } from '../qa/situation';
import { StoryRun } from '../qa/story-run';
import { STORIES } from './contract/stories';
import { backstageOf, LINKS } from './support/backstage';
import { ADMIN, startTestService, type TestService } from './support/service';
import { startMailServer, type TestMailServer } from './support/smtp';

/** Every written sample of account-api.md and decisions.md, whole bodies. The QA tool sends the same ones. */
describe.each(['A', 'B'] as const)('Variant %s answers as written', (variant) => {
  let service: TestService;
  let mailServer: TestMailServer;
  let situation: Situation;
  beforeAll(async () => {
    mailServer = await startMailServer();
    service = await startTestService(variant, { settings: { smtpUrl: mailServer.url, ...LINKS } });
    situation = new Situation(new Deployment(service.url), {
      variant,
      adminUsername: ADMIN.username,
      adminPassword: ADMIN.password,
      backstage: backstageOf(service, mailServer),
    });
    await situation.begin();
  });
  afterAll(async () => {
    await service.stop();
    await mailServer.stop();
  });

  const stories = STORIES.filter((story) => samplesOf(story, variant).length > 0);
  describe.each(stories)('$area: $title', (story) => {
    let run: StoryRun;
    beforeAll(async () => {
      run = await StoryRun.open(story, situation);
    });
    afterAll(async () => {
      expect(await run.close()).toEqual([]);
    });

    it.each(samplesOf(story, variant))('$title: $operation', async (sample) => {
      expect(await run.check(sample)).toEqual([]);
    });
  });

  it('and nothing of the run stays', async () => {
    expect(await situation.end()).toEqual([]);
    const [left] = await service.sql(
      `SELECT (SELECT count(*)::integer FROM organisations WHERE deleted_at IS NULL AND id > 1) AS organisations,
              (SELECT count(*)::integer FROM users WHERE deleted_at IS NULL AND organisation_id > 1) AS users,
              (SELECT count(*)::integer FROM ssh_keys) AS keys, (SELECT count(*)::integer FROM logins) AS logins`,
    );
    expect(left).toEqual({ organisations: 0, users: 0, keys: 0, logins: 0 });
  });

  it('to a sample of every operation that it describes', () => {
    const { paths } = JSON.parse(
      readFileSync(join(__dirname, `../docs/openapi-${variant.toLowerCase()}.json`), 'utf8'),
    ) as { paths: Record<string, Record<string, unknown>> };
    const described = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice('/v1'.length)}`),
      );
    const sampled = stories.flatMap((story) => samplesOf(story, variant)).map(({ operation }) => operation);
    expect(described.length).toBeGreaterThan(60);
    expect([...new Set(sampled)].sort()).toEqual([...described].sort());
  });
});
