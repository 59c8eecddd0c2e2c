import type { EntityManager } from 'typeorm';

/** Looks at one thing of a subject, and repairs it where that follows from something else. */
export interface Check<Subject, Result> {
  readonly name: string;
  run(subject: Subject): Result | Promise<Result>;
  repair?(manager: EntityManager): Promise<void>;
}

/** Runs checks one after the other; `onProgress` hears which one is next. */
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
