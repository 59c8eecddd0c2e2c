import { AddressList } from '@app/formats/ip-address';
import {
  AccessDenied,
  type ApiError,
  type ConstraintError,
  Unauthorised,
} from '@app/platform/errors/api-error';
import type { AccessRow } from './access.queries';

/** 401 for a credential that is not valid. */
export const unknownCredential = (): ApiError =>
  new Unauthorised('The credential is unknown, expired or revoked');

/** 403 for an address that is missing from the key's whitelist. */
export function addressRefusal(
  { whitelist, kind }: Pick<AccessRow, 'whitelist' | 'kind'>,
  clientAddress: () => string | undefined,
): ApiError | undefined {
  if (whitelist === null || whitelist.length === 0) return undefined;
  const address = clientAddress();
  if (address === undefined || AddressList.of(whitelist).includes(address)) return undefined;
  return new AccessDenied(
    `The ${kind === 'service_key' ? 'service' : 'API'} key does not accept calls from this address`,
    'ADDRESS_REFUSED',
  );
}

/** 401: the credential by which the record would be made has ended meanwhile. */
export const CREDENTIAL_ENDED: ConstraintError = {
  reason: 'UNAUTHORISED',
  message: 'The credential has ended meanwhile',
};
