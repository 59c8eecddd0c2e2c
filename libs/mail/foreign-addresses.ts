import { customerOf } from '@app/security/access/customers';

/**
 * SQL condition: the address is no verified user name of the customer, nor a former one that still counts.
 */
export const isForeign = (address: string, customerId: string): string =>
  `(${customerOf(`organisation_of_name(${address})`)} IS DISTINCT FROM ${customerId})`;
