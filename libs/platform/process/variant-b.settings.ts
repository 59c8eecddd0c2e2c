/** A time in which Variant B serves only those who are exempt: from its start, without its end. */
export interface Brownout {
  readonly start: Date;
  readonly end: Date;
}

/** What the operator has decided about the end of Variant B. */
export interface VariantBEnd {
  /** `VARIANT_B_DEPRECATED`: since when programs should not use it. */
  readonly deprecated: Date | undefined;
  /** `VARIANT_B_SUNSET`: when it is switched off. */
  readonly sunset: Date | undefined;
  /** `VARIANT_B_BROWNOUTS`, in the order of the setting. */
  readonly brownouts: readonly Brownout[];
}
