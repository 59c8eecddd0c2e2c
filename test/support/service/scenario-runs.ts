import { Deployment } from '../../../qa/deployment';
import { ScenarioRun } from '../../../qa/run';
import { examplesOf, type Scenario } from '../../../qa/scenario';
import { Session, type SessionOptions } from '../../../qa/session';
import type { Variant } from '../../../qa/variants';
import { ADMIN, PASSKEYS, type TestService } from './service';

/** Begins a session of the first admin, which makes an organisation for the scenarios. */
export async function beginSession(
  service: TestService,
  variant: Variant,
  options: Partial<SessionOptions> = {},
  deployment = new Deployment(service.url),
): Promise<Session> {
  const session = new Session(deployment, {
    variant,
    adminUsername: ADMIN.username,
    adminPassword: ADMIN.password,
    passkeyOrigin: PASSKEYS.origins[0],
    ...options,
  });
  await session.begin();
  return session;
}

const scenariosOf = (scenarios: readonly Scenario[], variant: Variant): readonly Scenario[] =>
  scenarios.filter((scenario) => examplesOf(scenario, variant).length > 0);

/**
 * Declares a block for each scenario of a variant, with a test for each example. The session is asked for
 * when the hooks run.
 */
export function describeScenarios(
  scenarios: readonly Scenario[],
  variant: Variant,
  sessionOf: () => Session,
): void {
  describe.each(scenariosOf(scenarios, variant))('$area: $title', (scenario) => {
    let run: ScenarioRun;
    beforeAll(async () => {
      run = await ScenarioRun.open(scenario, sessionOf());
    });
    afterAll(async () => {
      expect(await run.close()).toEqual([]);
    });

    it.each(examplesOf(scenario, variant))('$title: $operation', async (example) => {
      expect(await run.check(example)).toEqual([]);
    });
  });
}

/** Sends every example of the scenarios within one test, and fails with all that differ. */
export async function expectAsWritten(scenarios: readonly Scenario[], session: Session): Promise<void> {
  const differing: unknown[] = [];
  for (const scenario of scenariosOf(scenarios, session.options.variant)) {
    const run = await ScenarioRun.open(scenario, session);
    for (const example of examplesOf(scenario, session.options.variant)) {
      const { title, operation } = example;
      const differs = await run.check(example);
      if (differs.length > 0) differing.push({ scenario: scenario.title, title, operation, differs });
    }
    expect(await run.close()).toEqual([]);
  }
  expect(differing).toEqual([]);
}
