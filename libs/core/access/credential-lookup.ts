import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Sql, type PreparedStatement } from '../database/sql';
import { AccessDenied, Unauthorised } from '../errors/api-error';
import { AddressList } from '../network/address-list';
import { digestOf } from '../secrets/digest';
import { Settings } from '../settings/settings';
import type { AccessRow } from './access-query';
import { ClientAddresses } from './client-addresses';

/** No credential that the service hands out is longer; a longer value is not worth a digest. */
const LONGEST_CREDENTIAL = 256;

/** The credential of an `Authorization` header: the raw value, or what follows `Bearer `; undefined if empty. */
export function presentedCredential(header: string | undefined): string | undefined {
  const value = header?.trim().replace(/^Bearer(\s+|$)/i, '');
  return value === undefined || value === '' ? undefined : value;
}

/** Looks up the credential that a request carries: one query, no cache. */
@Injectable()
export class CredentialLookup {
  constructor(
    private readonly sql: Sql,
    private readonly settings: Settings,
    private readonly addresses: ClientAddresses,
  ) {}

  /** The access row of the request. 401 without a usable credential, 403 from an address that its key refuses. */
  async find(
    request: Request,
    statement: PreparedStatement,
    identifiers: readonly (number | null)[],
  ): Promise<AccessRow> {
    const credential = presentedCredential(request.headers.authorization);
    if (credential === undefined) throw new Unauthorised();
    const row =
      credential.length > LONGEST_CREDENTIAL
        ? undefined
        : await this.sql.row<AccessRow>(statement, [
            digestOf(credential),
            this.settings.loginIdleTtl,
            ...identifiers,
          ]);
    if (row === undefined) throw new Unauthorised('The credential is unknown, expired or revoked');
    this.refuseForeignAddress(row, request);
    return row;
  }

  private refuseForeignAddress(row: AccessRow, request: Request): void {
    if (row.whitelist === null || row.whitelist.length === 0) return;
    if (!AddressList.of(row.whitelist).includes(this.addresses.of(request))) {
      throw new AccessDenied('The API key does not accept calls from this address', 'ADDRESS_REFUSED');
    }
  }
}
