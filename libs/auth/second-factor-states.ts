import type { AnswerReason } from '@app/core/errors/reasons';
import type { SecondFactor } from '@app/users/user.entity';

/** What moves a user's second factor from one state to another (decisions.md section 5). */
export type SecondFactorEvent =
  /** `POST /enable2faandget2fasecret`: a fresh secret is shown. */
  | 'showSecret'
  /** `PATCH …/enable2fa`: set-up is asked for, a secret comes later. */
  | 'request'
  /** `POST /activate2fa` with a right code. */
  | 'activate'
  /** `POST /cancel2faActivation`. */
  | 'cancel'
  /** `PATCH …/disable2fa`. */
  | 'disable';

/** Why an event is refused (400); the text is the answer's message. */
export class InvalidTransition {
  constructor(
    readonly reason: AnswerReason,
    readonly message: string,
  ) {}
}

export const ALREADY_ENABLED = new InvalidTransition('SECOND_FACTOR_ENABLED', '2FA is already enabled');
const NOT_REQUESTED = new InvalidTransition('SECOND_FACTOR_NOT_REQUESTED', '2FA is not requested');

/**
 * The whole state machine: the state that follows, or why there is none. Where the described interface is silent, an
 * event whose outcome is there already changes nothing and succeeds, so that a repeated request does no harm: asking
 * for what is requested or enabled, cancelling or switching off what is disabled. Knowing the password alone never
 * leads away from `enabled`: of all events, only `disable` does, which needs a login.
 */
const SECOND_FACTOR_STATES: Readonly<
  Record<SecondFactorEvent, Readonly<Record<SecondFactor, SecondFactor | InvalidTransition>>>
> = {
  showSecret: { disabled: 'requested', requested: 'requested', enabled: ALREADY_ENABLED },
  request: { disabled: 'requested', requested: 'requested', enabled: 'enabled' },
  activate: { disabled: NOT_REQUESTED, requested: 'enabled', enabled: ALREADY_ENABLED },
  cancel: { disabled: 'disabled', requested: 'disabled', enabled: ALREADY_ENABLED },
  disable: { disabled: 'disabled', requested: 'disabled', enabled: 'disabled' },
};

/** The refusal of an event in a state, or undefined where it goes on. */
export function transitionError(
  event: SecondFactorEvent,
  state: SecondFactor,
): InvalidTransition | undefined {
  const outcome = SECOND_FACTOR_STATES[event][state];
  return outcome instanceof InvalidTransition ? outcome : undefined;
}

/** The states that an event may come from, each with the one it leads to. */
export function transitionsOf(event: SecondFactorEvent): Partial<Record<SecondFactor, SecondFactor>> {
  const outcomes = Object.entries(SECOND_FACTOR_STATES[event]);
  return Object.fromEntries(
    outcomes.filter((entry): entry is [string, SecondFactor] => typeof entry[1] === 'string'),
  );
}
