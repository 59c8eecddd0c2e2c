import type { PerVariant, Variant } from '../test/support/variants';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * What a scenario cannot do without.
 * - `person`: a user of the run's own organisation, fresh for the scenario. Variant A knows no way to make one but an
 *   invitation, whose token is mailed.
 * - `user`: any user as whom to act; the person where there can be one, else the admin of the run.
 * - `mail`: reading the mails that the service sends.
 * - `clock`: letting time pass, at a service with `TEST_CLOCK=on`. Logins may end by it, but for that of the admin, who
 *   logs in again.
 */
export type Need = 'person' | 'user' | 'mail' | 'clock';

/**
 * One request and the whole response to it. Texts may hold `{name}`, a variable of the scenario; a text that is nothing
 * else takes the variable's own JSON type. Responses may hold the matchers of `matchers.ts`, and `<matcher> as name` keeps
 * what is found there as a variable.
 */
export interface Example {
  readonly title: string;
  /** Method and path below `/v1`; the names in the path are variables. */
  readonly operation: string;
  /** The variable that holds the credential: `admin`, `person`, or one kept before. None: no header. */
  readonly as?: string;
  /** Variables that differ for this example alone, such as another record's id. */
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

/** The examples of a scenario that a variant has; none where the whole scenario belongs to the other variant. */
export function examplesOf(scenario: Scenario, variant: Variant): readonly Example[] {
  if (scenario.only !== undefined && scenario.only !== variant) return [];
  return scenario.examples.filter(({ only }) => only === undefined || only === variant);
}
