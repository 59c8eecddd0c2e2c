import { Injectable } from '@nestjs/common';
import { presentedCredential } from '@app/core/access/presented-credential';
import type { RequestAddress } from '@app/core/access/request-address';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Unauthorised } from '@app/core/errors/api-error';
import { digestOf } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { addressRefusal, unknownCredential } from './access-evaluation';
import { accessStatement, type AccessRow } from './access.queries';

/** No credential that the service hands out is longer; a longer value is not worth a digest. */
const MAX_CREDENTIAL_LENGTH = 256;

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

  /** Who calls, where the request addresses nothing: 401 without a usable credential, 403 from an address that its key refuses. */
  async find(authorization: string | undefined, clientAddress: () => string): Promise<AccessRow> {
    const row = await this.present(authorization, NOTHING);
    const refusal = addressRefusal(row, clientAddress);
    if (refusal !== undefined) throw refusal;
    return row;
  }

  /** Who calls, and what the request addresses. 401 without a usable credential. */
  async present(authorization: string | undefined, address: RequestAddress): Promise<AccessRow> {
    const credential = presentedCredential(authorization);
    if (credential === undefined) throw new Unauthorised();
    const row = await this.rowOf(credential, address);
    if (row === undefined) throw unknownCredential();
    return row;
  }

  /** The same for a credential that is told and not presented; undefined where it does not count. */
  async rowOf(
    credential: string,
    { statement, identifiers }: RequestAddress,
  ): Promise<AccessRow | undefined> {
    if (credential.length > MAX_CREDENTIAL_LENGTH) return undefined;
    const values = [digestOf(credential), this.settings.loginIdleTtl, ...identifiers];
    return this.queries.quickRow<AccessRow>(statement, values);
  }
}
