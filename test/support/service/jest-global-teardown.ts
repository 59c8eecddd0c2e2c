type Step = () => void | Promise<void>;

/** The set-up and the teardown are loaded apart, so the steps wait on the global object. */
const shared = globalThis as typeof globalThis & { databaseTeardown?: Step[] };

/** Has a step done after all tests, also when the set-up fails. */
export function rememberForTeardown(step: Step): void {
  (shared.databaseTeardown ??= []).push(step);
}

/** Last made, first removed. */
export default async function tearDownDatabases(): Promise<void> {
  for (const step of (shared.databaseTeardown ?? []).reverse()) await step();
  shared.databaseTeardown = [];
}
