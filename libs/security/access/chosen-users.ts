/**
 * SQL condition: the user registered by an invitation that a grant made, and no manager of the organisation
 * has chosen the user since (rule grants 83). The database function `used_grant` has the same rule.
 */
export const isChosenByGrant = (user: string): string =>
  `(${user}.grant_id IS NOT NULL AND ${user}.confirmed_at IS NULL)`;
