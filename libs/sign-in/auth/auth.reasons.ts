/** Reasons of responses about logins and second factors. */
export const AUTH_REASONS = {
  DEVICE_TOKEN_INVALID: '`2faToken` is not the token of a trusted device',
  SECOND_FACTOR_DEMANDED: 'The organisation demands a second factor',
  SECOND_FACTOR_ENABLED: 'The second factor is active already',
  SECOND_FACTOR_NOT_ENABLED: 'The second factor is not active',
  SECOND_FACTOR_NOT_REQUESTED: 'The set-up of a second factor was not begun',
  SECOND_FACTOR_REQUESTED: 'The set-up of the second factor is not finished',
  SECOND_FACTOR_REQUIRED:
    'The organisation demands a second factor and the user has none, this variant has no way to ' +
    'send the code of the one that the user has, only users with one may do this, or only a ' +
    'login that has passed the one that the user has',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof AUTH_REASONS, string> {}
}
