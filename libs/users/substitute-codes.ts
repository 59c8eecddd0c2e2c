/**
 * Codes that are good in the place of the authenticator's. A provider of any module that extends this class is found by
 * itself, and asked wherever a second factor is.
 */
export abstract class SubstituteCodes {
  /** Whether the text could be such a code; no code of an authenticator could be one. */
  abstract isMeant(text: string): boolean;

  /** Uses a code up, whatever becomes of what it was shown for; 401 for one that is wrong or was used. */
  abstract use(userId: number, code: string): Promise<void>;
}
