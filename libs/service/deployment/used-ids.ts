/** The shares of their ids that the sequences have given out; those that begin anew do not end. */
const USED = `
  FROM pg_sequences WHERE schemaname = current_schema() AND NOT cycle`;

/** The largest of the shares. */
export const LARGEST_SHARE = `SELECT max(last_value::float8 / max_value) ${USED}`;

/** Sequences that have given out most of their ids: what makes rows would end with the last one. */
export const NEARLY_USED_UP = `
  SELECT sequencename || ': ' || last_value || ' of ' || max_value AS example ${USED} AND last_value > 0.8 * max_value`;

export const FEW_IDS_LEFT = 'more than 80 % of the ids of a table are given out';
export const WIDEN_IDS =
  'find out what makes so many rows, and ask the developers for wider ids before the last one: the table takes no rows then';
