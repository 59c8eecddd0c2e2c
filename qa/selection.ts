import { VARIANTS } from '../test/support/variants';
import { examplesOf, type Scenario } from './scenario';

const named = (scenario: Scenario, name: string): boolean =>
  scenario.area === name || scenario.examples.some(({ operation }) => operation === name);

/** The names that select nothing. */
export const unknownNames = (scenarios: readonly Scenario[], names: readonly string[]): string[] =>
  names.filter((name) => !scenarios.some((scenario) => named(scenario, name)));

/**
 * The scenarios of the areas and with the operations; none named: all. Examples build on those before them, so that a
 * scenario is sent up to its last example of an operation, and not only that.
 */
export function selected(scenarios: readonly Scenario[], names: readonly string[]): readonly Scenario[] {
  if (names.length === 0) return scenarios;
  return scenarios
    .filter((scenario) => names.some((name) => named(scenario, name)))
    .map((scenario) => {
      if (names.includes(scenario.area)) return scenario;
      const last = scenario.examples.findLastIndex(({ operation }) => names.includes(operation));
      return { ...scenario, examples: scenario.examples.slice(0, last + 1) };
    });
}

interface Listed {
  readonly area: string;
  readonly scenario: string;
  readonly variants: readonly string[];
  readonly needs: readonly string[];
  readonly operations: readonly string[];
}

/** What could be sent, by scenario. */
export function listed(scenarios: readonly Scenario[], variant?: string): readonly Listed[] {
  return scenarios
    .map((scenario) => ({
      area: scenario.area,
      scenario: scenario.title,
      variants: VARIANTS.filter((one) => examplesOf(scenario, one).length > 0),
      needs: scenario.needs ?? [],
      operations: [...new Set(scenario.examples.map(({ operation }) => operation))],
    }))
    .filter(({ variants }) => variant === undefined || variants.some((one) => one === variant));
}

/** The same for people. */
export function listText(scenarios: readonly Listed[]): string {
  const areas = [...new Set(scenarios.map(({ area }) => area))];
  return areas
    .flatMap((area) => [
      area,
      ...scenarios
        .filter((scenario) => scenario.area === area)
        .flatMap(({ scenario, variants, needs, operations }) => [
          `  ${scenario} (${[variants.join(' and '), ...needs.map((need) => `needs ${need}`)].join(', ')})`,
          ...operations.map((operation) => `    ${operation}`),
        ]),
    ])
    .join('\n');
}
