import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';
import { Unauthorised } from '@app/platform/errors/api-error';
import { type AccessRow, accessStatement, NOTHING, type TokenRow } from './access.queries';
import { addressRefusal, unknownCredential } from './credential-refusals';
import { credentialDigest, presentedCredential } from './presented-credential';

/** The access query of a route and the identifiers of its path. */
export interface RequestAddress {
  readonly statement: PreparedStatement<AccessRow>;
  /** In the order of the statement's parameters; null for text that cannot be an identifier. */
  readonly identifiers: readonly (number | null)[];
  /** Only for routes that introspect a token. */
  readonly introspection?: {
    /** Finds the caller and the token. */
    readonly statement: PreparedStatement<TokenRow>;
    /** Unvalidated value from the request body. */
    readonly token: unknown;
  };
}

/** A request that addresses no record: the query finds the caller only. */
const NO_ADDRESS: RequestAddress = { statement: accessStatement(NOTHING), identifiers: [] };

/** Looks up the credential of an `Authorization` header, without a cache. */
@Injectable()
export class CredentialLookup {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly settings: Settings,
  ) {}

  /**
   * Finds the caller. Throws 401 without a valid credential, 403 if the key's whitelist excludes the address.
   */
  async find(authorization: string | undefined, clientAddress: () => string): Promise<AccessRow> {
    const row = await this.present(authorization, NO_ADDRESS);
    const refusal = addressRefusal(row, clientAddress);
    if (refusal !== undefined) throw refusal;
    return row;
  }

  /** Finds the caller and the addressed records. Throws 401 without a valid credential. */
  async present(authorization: string | undefined, address: RequestAddress): Promise<AccessRow> {
    const credential = presentedCredential(authorization);
    if (credential === undefined) throw new Unauthorised();
    const row = await this.rowOf(credential, address);
    if (row === undefined) throw unknownCredential();
    return row;
  }

  /** Finds the caller and the addressed records by a given credential; undefined if it is not valid. */
  async rowOf(credential: string, address: RequestAddress): Promise<AccessRow | undefined> {
    const digest = credentialDigest(credential);
    if (digest === null) return undefined;
    const values = [digest, this.settings.loginIdleTtl, ...address.identifiers];
    const { introspection } = address;
    if (introspection === undefined) return (await this.queries.rows(address.statement, values))[0];
    const rows = await this.queries.rows(introspection.statement, [
      ...values,
      credentialDigest(introspection.token),
    ]);
    const caller = rows.find((row) => row.is_presented);
    return caller && { ...caller, introspectedToken: rows.find((row) => row.is_introspected) };
  }
}
