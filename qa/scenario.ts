import { type PerVariant, type Variant, VARIANTS } from './variants';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * What a scenario cannot do without.
 * - `person`: a user of the run's own organisation, fresh for the scenario. Variant A knows no way to make
 *   one but an invitation, whose token is mailed.
 * - `user`: any user as whom to act; the person where there can be one, else the admin of the run.
 * - `mail`: reading the mails that the service sends.
 * - `passkeys`: a page that may use passkeys.
 * - `clock`: letting time pass, at a service with `TEST_CLOCK=on`. Logins may end by it, but for that of the
 *   admin, who logs in again.
 * - `receiver`: receiving the webhooks that the service sends.
 */
export type Need = 'person' | 'user' | 'mail' | 'passkeys' | 'clock' | 'receiver';

/**
 * One request and the whole response to it. Texts may hold `{name}`, a variable of the scenario; a text that
 * is nothing else takes the variable's own JSON type, as `{text name}` its text. Responses may hold the
 * matchers of `matchers.ts`, and `<matcher> as name` keeps what is found there as a variable.
 */
export interface Example {
  readonly title: string;
  /** Method and path below `/v1`; the names in the path are variables. */
  readonly operation: string;
  /** The variable that holds the credential: `admin`, `person`, or one kept before. None: no header. */
  readonly as?: string;
  /** Variables that differ only for this example, such as another record's id. */
  readonly with?: Readonly<Record<string, Json>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly status: number;
  /** The whole JSON body; absent: there is none. */
  readonly response?: Json;
  /** The whole JSON body of each variant, where they differ. */
  readonly responses?: PerVariant<Json>;
  /** The whole body where it is no JSON. */
  readonly text?: string;
  /** The whole body where it is a file, whose type the headers say. */
  readonly file?: string;
  /** The name of the only variant that has this example. */
  readonly only?: string;
}

/** Examples that follow one another in one session. */
export interface Scenario {
  /** The part of the interface, as `--only` names it. */
  readonly area: string;
  readonly title: string;
  readonly needs?: readonly Need[];
  /** Roles of the person, as the `autoRoles` of an invitation. */
  readonly personRoles?: string;
  /** The name of the only variant that has this scenario. */
  readonly only?: string;
  readonly examples: readonly Example[];
}

/** An example: its title, who sends which request, the status and body of the response, and the rest. */
export const example = (
  title: string,
  [as, operation, body]: readonly [as: string, operation: string, body?: Json],
  [status, response]: readonly [status: number, response?: Json],
  rest: Omit<Example, 'title' | 'as' | 'operation' | 'body' | 'status' | 'response'> = {},
): Example => ({
  title,
  operation,
  body,
  status,
  response,
  as: as === 'nobody' ? undefined : as,
  ...rest,
});

/** A scenario: its part of the interface, its title, what it needs, and its examples. */
export const scenario = (
  area: string,
  title: string,
  needs: Omit<Scenario, 'area' | 'title' | 'examples'>,
  examples: readonly Example[],
): Scenario => ({ area, title, ...needs, examples });

/**
 * The examples of a scenario that a variant has; none where the whole scenario belongs to the other variant.
 */
export function examplesOf(scenario: Scenario, variant: Variant): readonly Example[] {
  if (scenario.only !== undefined && scenario.only !== variant) return [];
  return scenario.examples.filter(({ only }) => only === undefined || only === variant);
}

const named = (scenario: Scenario, name: string): boolean =>
  scenario.area === name || scenario.examples.some(({ operation }) => operation === name);

/** The names that select nothing. */
export const unknownNames = (scenarios: readonly Scenario[], names: readonly string[]): string[] =>
  names.filter((name) => !scenarios.some((scenario) => named(scenario, name)));

/**
 * The scenarios of the areas and with the operations; none named: all. Examples build on those before them,
 * so that a scenario is sent up to its last example of an operation, and not only that.
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
