import type { Deployment } from './deployment';
import { examplesOf, type Need, type Scenario } from './scenario';
import { Session, type SessionOptions } from './session';
import { missingNeeds, ScenarioRun } from './scenario-run';

/** How an example came out. */
export interface Result {
  readonly area: string;
  readonly scenario: string;
  readonly operation: string;
  readonly title: string;
  readonly outcome: 'ok' | 'failed' | 'not checked';
  /** What differs, or why nothing was sent. */
  readonly notes: readonly string[];
  readonly milliseconds: number;
}

/** What a run found and what it left behind. */
export interface RunReport {
  readonly results: readonly Result[];
  /** What the run made and could not delete. */
  readonly left: readonly string[];
  /** A signal ended it early. */
  readonly interrupted: boolean;
}

const REASONS: Readonly<Record<Need, string>> = {
  person: 'needs a registered user: here invitations are answered by mail alone (--mail-dir and others)',
  user: '',
  mail: 'needs to read a mail (--mail-dir and others)',
  clock: 'needs a service whose clock can be moved (--test-clock)',
};

/** Why a deployment cannot be sent a scenario; none: it can. */
export const reasonsAgainst = (scenario: Scenario, session: Session): string[] =>
  missingNeeds(scenario, session).map((need) => REASONS[need]);

/** Runs the scenarios against a deployment, one request at a time, and takes away what they made, come what may. */
export async function runScenarios(
  scenarios: readonly Scenario[],
  deployment: Deployment,
  options: SessionOptions,
  stopping: AbortSignal,
): Promise<RunReport> {
  const isInterrupted = (): boolean => stopping.aborted;
  const session = new Session(deployment, options);
  const results: Result[] = [];
  const left: string[] = [];
  try {
    await session.begin();
    for (const scenario of scenarios) {
      if (isInterrupted()) break;
      left.push(...(await runScenario(scenario, session, results, isInterrupted)));
    }
  } finally {
    left.push(...(await session.end()));
  }
  return { results, left, interrupted: isInterrupted() };
}

async function runScenario(
  scenario: Scenario,
  session: Session,
  results: Result[],
  isInterrupted: () => boolean,
): Promise<string[]> {
  const examples = examplesOf(scenario, session.options.variant);
  if (examples.length === 0) return [];
  const add = (
    example: (typeof examples)[number],
    rest: Pick<Result, 'outcome' | 'notes' | 'milliseconds'>,
  ) =>
    results.push({
      area: scenario.area,
      scenario: scenario.title,
      operation: example.operation,
      title: example.title,
      ...rest,
    });
  const missing = reasonsAgainst(scenario, session);
  if (missing.length > 0) {
    for (const example of examples) add(example, { outcome: 'not checked', notes: missing, milliseconds: 0 });
    return [];
  }
  let run: ScenarioRun;
  try {
    run = await ScenarioRun.open(scenario, session);
  } catch (error) {
    const notes = [`the session could not be made: ${(error as Error).message}`];
    for (const example of examples) add(example, { outcome: 'failed', notes, milliseconds: 0 });
    return [];
  }
  for (const example of examples) {
    if (isInterrupted()) break;
    const started = performance.now();
    const notes = await run.check(example).catch((error: unknown) => [(error as Error).message]);
    add(example, {
      outcome: notes.length === 0 ? 'ok' : 'failed',
      notes,
      milliseconds: performance.now() - started,
    });
  }
  return run.close();
}
