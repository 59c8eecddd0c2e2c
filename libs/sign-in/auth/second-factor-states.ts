import type { SecondFactor } from '@app/people/users/user.types';
import type { AnswerReason } from '@app/platform/errors/reasons';

/** The events that change the state of a user's second factor (rule login 47). */
export type SecondFactorEvent =
  /** `POST /enable2faandget2fasecret`: a new secret is shown. */
  | 'showSecret'
  /** `PATCH …/enable2fa`: requests the set-up; the secret follows later. */
  | 'request'
  /** `POST /activate2fa` with a right code. */
  | 'activate'
  /** `POST /cancel2faActivation`. */
  | 'cancel'
  /** `PATCH …/disable2fa`. */
  | 'disable';

/** The reason why an event is refused (400), with the message of the response. */
export class InvalidTransition {
  constructor(
    readonly reason: AnswerReason,
    readonly message: string,
  ) {}
}

export const ALREADY_ENABLED = new InvalidTransition('SECOND_FACTOR_ENABLED', '2FA is already enabled');
const NOT_REQUESTED = new InvalidTransition('SECOND_FACTOR_NOT_REQUESTED', '2FA is not requested');

/**
 * The complete state machine: the next state, or the reason of a refusal. Where the contract is silent, an
 * event without effect succeeds, so that a repeated request does no harm: `request` in `requested` or
 * `enabled`, `cancel` or `disable` in `disabled`. Only `disable` leads away from `enabled`, and it requires a
 * login: the password is not enough.
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

/** Why an event is refused in a state; undefined if it is possible. */
export function transitionError(
  event: SecondFactorEvent,
  state: SecondFactor,
): InvalidTransition | undefined {
  const outcome = SECOND_FACTOR_STATES[event][state];
  return outcome instanceof InvalidTransition ? outcome : undefined;
}

/** The states in which an event is possible, each with its next state. */
export function transitionsOf(event: SecondFactorEvent): Partial<Record<SecondFactor, SecondFactor>> {
  const outcomes = Object.entries(SECOND_FACTOR_STATES[event]);
  return Object.fromEntries(
    outcomes.filter((entry): entry is [string, SecondFactor] => typeof entry[1] === 'string'),
  );
}
