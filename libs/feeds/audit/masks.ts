import { OPERATOR_ORGANISATION } from '@app/security/context/operator';

/** SQL for the word that masks a user or service key of an organisation. */
export const maskOf = (organisation: string): string =>
  `CASE WHEN ${organisation} = ${OPERATOR_ORGANISATION} THEN 'operator' ELSE 'manager' END`;
