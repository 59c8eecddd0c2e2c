import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { examplesOf } from '../../qa/scenario';
import { SCENARIOS } from '../../qa/scenarios/all';
import { TOKENLESS_SCENARIO } from '../../qa/scenarios/invitations.scenarios';
import { SUPPORTED_SCENARIO } from '../../qa/scenarios/support.scenarios';
import type { Session } from '../../qa/session';
import { VARIANTS } from '../../qa/variants';
import { useMailServer } from '../support/faults/smtp';
import { beginSession, describeScenarios, expectAsWritten } from '../support/service/scenario-runs';
import { ADMIN, startTestService, useService } from '../support/service/service';
import { testHooksOf } from '../support/service/test-hooks';

/**
 * Every written example of account-api.md and docs/rules, whole bodies. The QA tool sends the same ones.
 */
describe.each(VARIANTS)('Variant %s responds as written', (variant) => {
  const mailServer = useMailServer();
  const service = useService(variant, () => ({
    settings: {
      smtpUrl: mailServer.url,
      // Clients that know nothing of its headers go on.
      variantBEnd: { deprecated: new Date(0), sunset: new Date(0) },
    },
  }));
  let session: Session;
  beforeAll(async () => {
    session = await beginSession(service, variant, testHooksOf(service, mailServer));
  });

  describeScenarios(SCENARIOS, variant, () => session);

  it('POST …/supportlogins: staff with a second factor reads in the name of a user', async () => {
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x'
      WHERE username = ${ADMIN.username}`;
    await expectAsWritten([SUPPORTED_SCENARIO], session);
    await service.sql`UPDATE users SET second_factor = 'disabled', totp_secret = NULL
      WHERE username = ${ADMIN.username}`;
  });

  it('and no organisation, user, key or login of the scenarios is left', async () => {
    expect(await session.end()).toEqual([]);
    const [left] = await service.sql(
      `SELECT (SELECT count(*)::integer FROM organisations WHERE deleted_at IS NULL AND id > 1) AS organisations,
              (SELECT count(*)::integer FROM users WHERE deleted_at IS NULL AND organisation_id > 1) AS users,
              (SELECT count(*)::integer FROM ssh_keys) AS keys, (SELECT count(*)::integer FROM logins) AS logins`,
    );
    expect(left).toEqual({ organisations: 0, users: 0, keys: 0, logins: 0 });
  });

  it('and every operation of docs/openapi-*.json has an example', () => {
    const { paths } = JSON.parse(
      readFileSync(join(__dirname, `../../docs/openapi-${variant.toLowerCase()}.json`), 'utf8'),
    ) as { paths: Record<string, Record<string, unknown>> };
    const described = Object.entries(paths)
      .filter(([path]) => !path.startsWith('/health/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/v1/, '')}`),
      );
    const shown = SCENARIOS.flatMap((scenario) => examplesOf(scenario, variant)).map(
      ({ operation }) => operation,
    );
    expect(described.length).toBeGreaterThan(60);
    expect([...new Set(shown)].sort()).toEqual([...described].sort());
  });
});

/** Off in every other service of this file, as it is by default. */
it.each(VARIANTS)(
  'POST /registerInvitation in Variant %s registers without a token as written, with ALLOW_TOKENLESS_REGISTRATION',
  async (variant) => {
    await using service = await startTestService(variant, { settings: { allowTokenlessRegistration: true } });
    const session = await beginSession(service, variant);
    await expectAsWritten([TOKENLESS_SCENARIO], session);
  },
);
