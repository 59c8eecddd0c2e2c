/**
 * The status words that users, invitations, keys and teams have, in lower case on the wire in both variants.
 * The other words of the contract (section "States and transitions") belong to records of other areas of the
 * panel. `accepted` exists only in Variant B.
 *
 * The contract names the colours without a rule. This is the rule: green is in use, grey has ended.
 * A used invitation (`done`, `accepted`) and a disabled user (`deactivated`) are grey by
 * rule answers 8.
 */
export const STATUS_CATEGORIES = {
  ok: 'green',
  deactivated: 'grey',
  done: 'grey',
  accepted: 'grey',
  closed: 'grey',
} as const;

/** A word on the wire, of either variant. */
export type Status = keyof typeof STATUS_CATEGORIES;

export const statusCategory = (status: Status): 'green' | 'grey' => STATUS_CATEGORIES[status];
