/**
 * SQL: whether a user has an authenticator or a passkey. Whether a credential has passed it
 * is `passed_second_factor`.
 */
export const hasSecondFactor = (user: string): string => `has_second_factor(${user}.id)`;
