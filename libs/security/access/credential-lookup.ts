import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';
import { Unauthorised } from '@app/platform/errors/api-error';
import { type AccessRow, accessStatement, NOTHING, type TokenRow } from './access.queries';
import { addressRefusal, unknownCredential } from './credential-refusals';
import { credentialDigest, presentedCredential } from './presented-credential';

/** The access query of a route and the identifiers of its path. */
export interface RequestAddress<Row extends AccessRow = AccessRow> {
  readonly statement: PreparedStatement<Row>;
  /** In the order of the statement's parameters; null for text that cannot be an identifier. */
  readonly identifiers: readonly (number | null)[];
  /** Only for routes that introspect a token. */
  readonly introspection?: Introspection;
}

interface Introspection {
  /** Finds the caller and the token. */
  readonly statement: PreparedStatement<TokenRow>;
  /** Unvalidated value from the request body. */
  readonly token: unknown;
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
  async present<Row extends AccessRow>(
    authorization: string | undefined,
    { statement, identifiers }: RequestAddress<Row>,
  ): Promise<Row> {
    const [row] = await this.queries.rows(statement, this.valuesOf(authorization, identifiers));
    if (row === undefined) throw unknownCredential();
    return row;
  }

  /** Finds besides the introspected token. */
  async presentWithToken(
    authorization: string | undefined,
    { statement, token }: Introspection,
    identifiers: RequestAddress['identifiers'],
  ): Promise<AccessRow> {
    const values = [...this.valuesOf(authorization, identifiers), credentialDigest(token)];
    const rows = await this.queries.rows(statement, values);
    const caller = rows.find((row) => row.is_presented);
    if (caller === undefined) throw unknownCredential();
    return { ...caller, introspectedToken: rows.find((row) => row.is_introspected) };
  }

  /** The parameters of a statement. Throws 401 for what is the form of no credential. */
  private valuesOf(
    authorization: string | undefined,
    identifiers: RequestAddress['identifiers'],
  ): readonly unknown[] {
    const credential = presentedCredential(authorization);
    if (credential === undefined) throw new Unauthorised();
    const digest = credentialDigest(credential);
    if (digest === null) throw unknownCredential();
    return [digest, this.settings.loginIdleTtl, ...identifiers];
  }
}
