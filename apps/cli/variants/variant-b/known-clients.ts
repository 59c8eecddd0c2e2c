import type { PlannedOrganisation } from './plan';

/**
 * Programs that lose something in a brown-out, and what they lose. Each was tried with the unchanged program.
 */
const KNOWN_CLIENTS: Readonly<Record<string, string>> = {
  level27_lvl:
    'lvl from 1.7 takes an error at login for success and overwrites its stored key with nothing; brown-outs serve the login, a service that is switched off does not',
  'go-http-client':
    'the Terraform provider of 2021 names itself so, as other Go programs do: it takes an organisation that it cannot read for gone, and makes a second one at the next apply',
};

/** A line for each known client that has called and that a brown-out would refuse somewhere. */
export function clientWarnings(plan: readonly PlannedOrganisation[]): string[] {
  const refused = plan.filter(({ exemptUntil }) => exemptUntil === null);
  return Object.entries(KNOWN_CLIENTS).flatMap(([name, behaviour]) => {
    const callers = refused.filter(({ programs }) =>
      programs.some(({ program, exemptUntil }) => program === name && exemptUntil === null),
    );
    if (callers.length === 0) return [];
    const organisations = callers.length === 1 ? '1 organisation' : `${callers.length} organisations`;
    return [
      `${name} of ${organisations}: ${behaviour}. Move it or exempt it before the first brown-out: variants exempt --program ${name} --until DATE`,
    ];
  });
}
