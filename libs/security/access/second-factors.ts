/** SQL: whether a user has an authenticator or a passkey. */
export const hasSecondFactor = (user: string): string =>
  `(${user}.second_factor = 'enabled' OR EXISTS (SELECT FROM passkeys WHERE user_id = ${user}.id))`;
