import { Injectable } from '@nestjs/common';
import type { RequestAddress } from '@app/core/access/request-address';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { AccessDenied, Unauthorised } from '@app/core/errors/api-error';
import { AddressList } from '@app/core/network/address-list';
import { digestOf } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { accessStatement, type AccessRow } from './access.queries';

/** No credential that the service hands out is longer; a longer value is not worth a digest. */
const MAX_CREDENTIAL_LENGTH = 256;

/** The credential of an `Authorization` header: the raw value, or what follows `Bearer `; undefined if empty. */
export function presentedCredential(header: string | undefined): string | undefined {
  const value = header?.trim().replace(/^Bearer(\s+|$)/i, '');
  return value === undefined || value === '' ? undefined : value;
}

/** A request that addresses nothing: only who calls is asked for. */
const NOTHING: RequestAddress = {
  statement: accessStatement({ organisation: false, user: false, records: [] }),
  identifiers: [],
};

/** Looks up the credential of an `Authorization` header: one query, no cache. */
@Injectable()
export class CredentialLookup {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly settings: Settings,
  ) {}

  /**
   * Who calls, and what the request addresses. 401 without a usable credential, 403 from an address that its key
   * refuses; the address is asked for only where the key has a list.
   */
  async find(
    authorization: string | undefined,
    clientAddress: () => string,
    { statement, identifiers }: RequestAddress = NOTHING,
  ): Promise<AccessRow> {
    const credential = presentedCredential(authorization);
    if (credential === undefined) throw new Unauthorised();
    const row =
      credential.length > MAX_CREDENTIAL_LENGTH
        ? undefined
        : await this.queries.quickRow<AccessRow>(statement, [
            digestOf(credential),
            this.settings.loginIdleTtl,
            ...identifiers,
          ]);
    if (row === undefined) throw new Unauthorised('The credential is unknown, expired or revoked');
    assertAddressAllowed(row, clientAddress);
    return row;
  }
}

function assertAddressAllowed({ whitelist }: AccessRow, clientAddress: () => string): void {
  if (whitelist === null || whitelist.length === 0) return;
  if (!AddressList.of(whitelist).includes(clientAddress())) {
    throw new AccessDenied('The API key does not accept calls from this address', 'ADDRESS_REFUSED');
  }
}
