/** Most API keys of a user (decisions.md section 11, "Amounts"; counted by a trigger of the table). */
export const API_KEY_LIMITS = { ofUser: 50 } as const;

/** Most hours that a key lives on after another took its place: 7 days. */
export const MAX_OLD_KEY_HOURS = 168;

/** Most addresses of a whitelist: every use of a key looks through its whole list. */
export const WHITELIST_LIMIT = 100;
