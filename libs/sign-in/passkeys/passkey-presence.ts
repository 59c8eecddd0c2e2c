/**
 * SQL condition: a passkey is there. One that a login without the second factor deleted goes some days later.
 */
export const isPasskeyThere = (passkey: string): string =>
  `(${passkey}.gone_at IS NULL OR ${passkey}.gone_at > now())`;
