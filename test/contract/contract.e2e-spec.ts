import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from '../../tools/qa/deployment';
import { ScenarioRun } from '../../tools/qa/run';
import { examplesOf } from '../../tools/qa/scenario';
import { Session } from '../../tools/qa/session';
import { useMailServer } from '../support/faults/smtp';
import { ADMIN, PASSKEYS, startTestService, useService } from '../support/service/service';
import { testHooksOf } from '../support/service/test-hooks';
import { VARIANTS } from '../support/service/variants';
import { TOKENLESS_SCENARIO } from './invitations.scenarios';
import { SCENARIOS } from './scenarios';
import { SUPPORTED_SCENARIO } from './support.scenarios';

/**
 * Every written example of account-api.md and decisions.md, whole bodies. The QA tool sends the same ones.
 */
describe.each(VARIANTS)('Variant %s responds as written', (variant) => {
  let session: Session;
  const mailServer = useMailServer();
  const service = useService(variant, () => ({
    settings: {
      smtpUrl: mailServer.url,
      // Clients that know nothing of its headers go on.
      variantBEnd: { deprecated: new Date(0), sunset: new Date(0), brownouts: [] },
    },
  }));
  beforeAll(async () => {
    session = new Session(new Deployment(service.url), {
      variant,
      adminUsername: ADMIN.username,
      adminPassword: ADMIN.password,
      passkeyOrigin: PASSKEYS.origins[0],
      ...testHooksOf(service, mailServer),
    });
    await session.begin();
  });

  const scenarios = SCENARIOS.filter((scenario) => examplesOf(scenario, variant).length > 0);
  describe.each(scenarios)('$area: $title', (scenario) => {
    let run: ScenarioRun;
    beforeAll(async () => {
      run = await ScenarioRun.open(scenario, session);
    });
    afterAll(async () => {
      expect(await run.close()).toEqual([]);
    });

    it.each(examplesOf(scenario, variant))('$title: $operation', async (example) => {
      expect(await run.check(example)).toEqual([]);
    });
  });

  it('lets staff with a second factor read in the name of a user', async () => {
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x'
      WHERE username = ${ADMIN.username}`;
    const run = await ScenarioRun.open(SUPPORTED_SCENARIO, session);
    for (const example of examplesOf(SUPPORTED_SCENARIO, variant)) {
      expect({ title: example.title, differs: await run.check(example) }).toEqual({
        title: example.title,
        differs: [],
      });
    }
    expect(await run.close()).toEqual([]);
    await service.sql`UPDATE users SET second_factor = 'disabled', totp_secret = NULL
      WHERE username = ${ADMIN.username}`;
  });

  it('leaves nothing of the run', async () => {
    expect(await session.end()).toEqual([]);
    const [left] = await service.sql(
      `SELECT (SELECT count(*)::integer FROM organisations WHERE deleted_at IS NULL AND id > 1) AS organisations,
              (SELECT count(*)::integer FROM users WHERE deleted_at IS NULL AND organisation_id > 1) AS users,
              (SELECT count(*)::integer FROM ssh_keys) AS keys, (SELECT count(*)::integer FROM logins) AS logins`,
    );
    expect(left).toEqual({ organisations: 0, users: 0, keys: 0, logins: 0 });
  });

  it('has an example of every operation that it describes', () => {
    const { paths } = JSON.parse(
      readFileSync(join(__dirname, `../../docs/openapi-${variant.toLowerCase()}.json`), 'utf8'),
    ) as { paths: Record<string, Record<string, unknown>> };
    const described = Object.entries(paths)
      .filter(([path]) => !path.startsWith('/health/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/v1/, '')}`),
      );
    const shown = scenarios
      .flatMap((scenario) => examplesOf(scenario, variant))
      .map(({ operation }) => operation);
    expect(described.length).toBeGreaterThan(60);
    expect([...new Set(shown)].sort()).toEqual([...described].sort());
  });
});

/** Off in every other service of this file, as it is by default. */
it.each(VARIANTS)('Variant %s registers without a token as written, where that is on', async (variant) => {
  await using service = await startTestService(variant, { settings: { allowTokenlessRegistration: true } });
  const { username: adminUsername, password: adminPassword } = ADMIN;
  const session = new Session(new Deployment(service.url), { variant, adminUsername, adminPassword });
  await session.begin();
  const run = await ScenarioRun.open(TOKENLESS_SCENARIO, session);
  for (const example of examplesOf(TOKENLESS_SCENARIO, variant)) {
    expect({ title: example.title, differs: await run.check(example) }).toEqual({
      title: example.title,
      differs: [],
    });
  }
  expect(await run.close()).toEqual([]);
});
