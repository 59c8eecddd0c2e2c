/** Most keys of one owner (decisions.md section 11, "Amounts"; counted by triggers of the table). */
export const SSH_KEY_LIMITS = { ofUser: 100, ofOrganisation: 200 } as const;

/** The longest description in characters; a longer comment inside a key is cut there. */
export const DESCRIPTION_MAX_LENGTH = 255;
