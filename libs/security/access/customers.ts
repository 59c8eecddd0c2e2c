/** SQL for the customer that an organisation is or lies beneath (rule organisations 22). */
export const customerOf = (organisation: string): string =>
  `(SELECT customer_id FROM organisations WHERE id = ${organisation})`;
