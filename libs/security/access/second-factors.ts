/**
 * SQL condition: a passkey is there. One that a login without the second factor deleted goes some days later.
 */
export const isPasskeyThere = (passkey: string): string =>
  `(${passkey}.gone_at IS NULL OR ${passkey}.gone_at > now())`;

/**
 * SQL: whether a user has an authenticator or a passkey. Whether a credential has passed it
 * is `passed_second_factor`.
 */
export const hasSecondFactor = (user: string): string => `has_second_factor(${user}.id)`;
