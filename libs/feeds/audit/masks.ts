import { OPERATOR_ORGANISATION } from '@app/security/access/roles';

/** SQL of the word for a user or service key of the organisation that the reader may not know. */
export const maskOf = (organisation: string): string =>
  `CASE WHEN ${organisation} = ${OPERATOR_ORGANISATION} THEN 'operator' ELSE 'manager' END`;
