/** The description of the service that a deployment runs. */
export type VariantName = 'A' | 'B';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * What a story cannot do without.
 * - `person`: a user of the run's own organisation, fresh for the story. Variant A knows no way to make one but an
 *   invitation, whose token is mailed.
 * - `user`: any user as whom to act; the person where there can be one, else the admin of the run.
 * - `mail`: reading the mails that the service sends.
 * - `entities`: an app, a domain, a mail group and a system of the organisation in the register.
 */
export type Need = 'person' | 'user' | 'mail' | 'entities';

/**
 * One request and the whole answer to it. Texts may hold `{name}`, a variable of the story; a text that is nothing
 * else takes the variable's own JSON type. Answers may hold the holes of `holes.ts`, and `<hole> as name` keeps what
 * is found there as a variable.
 */
export interface Sample {
  readonly title: string;
  /** Method and path below `/v1`; the names in the path are variables. */
  readonly operation: string;
  /** The variable that holds the credential: `admin`, `person`, or one kept before. None: no header. */
  readonly as?: string;
  /** Variables that differ for this sample alone, such as another record's id. */
  readonly with?: Readonly<Record<string, Json>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly status: number;
  /** The whole JSON body; absent: there is none. */
  readonly answer?: Json;
  /** The whole JSON body in Variant B, where it differs. */
  readonly answerB?: Json;
  /** The whole body where it is no JSON. */
  readonly text?: string;
  /** The only variant that has this sample. */
  readonly only?: VariantName;
}

/** Samples that follow one another in one situation. */
export interface Story {
  /** The part of the interface, as `--only` names it. */
  readonly area: string;
  readonly title: string;
  readonly needs?: readonly Need[];
  /** Roles of the person, as the `autoRoles` of an invitation. */
  readonly personRoles?: string;
  readonly only?: VariantName;
  readonly samples: readonly Sample[];
}

/** The samples of a story that a variant has; none where the whole story belongs to the other variant. */
export function samplesOf(story: Story, variant: VariantName): readonly Sample[] {
  if (story.only !== undefined && story.only !== variant) return [];
  return story.samples.filter(({ only }) => only === undefined || only === variant);
}
