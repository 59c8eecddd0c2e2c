/**
 * Condition that the users of an organisation are kept out: it is suspended, or lies beneath one that is suspended with
 * all beneath it. Looked up by index at every use, and never kept anywhere: what is moved comes and goes with it.
 * OFFSET 0 keeps the planner at one look-up for the organisation and one for each above it, however many are suspended:
 * it would else read all of them where it thinks that they are few.
 */
export const isSuspended = (organisation: string): string => `(
    EXISTS (SELECT FROM suspensions held WHERE held.organisation_id = ${organisation} AND held.itself OFFSET 0)
    OR EXISTS (SELECT FROM organisation_closure way CROSS JOIN LATERAL (
        SELECT FROM suspensions held WHERE held.organisation_id = way.ancestor_id AND held.beneath OFFSET 0) held
      WHERE way.descendant_id = ${organisation} OFFSET 0))`;
