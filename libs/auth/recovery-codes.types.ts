/** How many recovery codes a user has. */
export interface RecoveryCodeCount {
  /** Codes of the set that were not used. */
  readonly left: number;
  /** When the set was made, in Unix seconds; null where there is none. */
  readonly createdAt: number | null;
}

/** A set that was just made: the only time that its codes are known. */
export interface MadeRecoveryCodes extends RecoveryCodeCount {
  readonly codes: readonly string[];
}
