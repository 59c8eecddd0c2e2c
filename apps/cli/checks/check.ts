import type { EntityManager } from 'typeorm';

/** Checks one thing about a subject. Repairs it if the right value follows from other data. */
export interface Check<Subject, Result> {
  readonly name: string;
  run(subject: Subject): Result | Promise<Result>;
  repair?(manager: EntityManager): Promise<void>;
}

/** Runs checks one after the other. `onProgress` receives the next one. */
export async function runChecks<Subject, Result, Kind extends Check<Subject, Result>>(
  checks: readonly (Kind & Check<Subject, Result>)[],
  subject: Subject,
  onProgress: (share: number, name: string) => void = () => undefined,
): Promise<{ readonly check: Kind; readonly result: Result }[]> {
  const results: { check: Kind; result: Result }[] = [];
  for (const check of checks) {
    onProgress(results.length / checks.length, check.name);
    results.push({ check, result: await check.run(subject) });
  }
  return results;
}
