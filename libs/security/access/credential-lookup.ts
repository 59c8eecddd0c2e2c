import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';
import { Unauthorised } from '@app/platform/errors/api-error';
import {
  type AccessRow,
  type AccessStatements,
  accessStatements,
  NOTHING,
  type TokenRow,
} from './access.queries';
import { CredentialGuess } from './credential-guess';
import { addressRefusal, unknownCredential } from './credential-refusals';
import { credentialDigest, presentedCredential } from './presented-credential';
import { RECHECK_SUPPORT_LOGIN } from './valid-logins';

/** The access queries of a route and the identifiers of its path. */
export interface RequestAddress {
  readonly statements: AccessStatements;
  /** In the order of the statements' parameters; null for text that cannot be an identifier. */
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
const NO_ADDRESS: RequestAddress = { statements: accessStatements(NOTHING), identifiers: [] };

/** Looks up the credential of an `Authorization` header, without a cache. */
@Injectable()
export class CredentialLookup {
  private readonly guess = new CredentialGuess();

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
    if (introspection === undefined) return await this.found(digest, address.statements, values);
    const rows = await this.queries.rows(introspection.statement, [
      ...values,
      credentialDigest(introspection.token),
    ]);
    const caller = await this.recheckSupportLogin(rows.find((row) => row.is_presented));
    const token = rows.find((row) => row.is_introspected);
    return caller && { ...caller, introspectedToken: await this.recheckSupportLogin(token) };
  }

  /** Looks first where the credential was last time, then in the other table. */
  private async found(
    digest: Buffer,
    statements: AccessStatements,
    values: readonly unknown[],
  ): Promise<AccessRow | undefined> {
    const [likely, other] = this.guess.placesOf(digest);
    let [row] = await this.queries.rows(statements[likely], values);
    if (row === undefined) {
      [row] = await this.queries.rows(statements[other], values);
      if (row !== undefined) this.guess.learn(digest, other);
    }
    return row?.kind === 'support_login' ? this.recheckSupportLogin(row) : row;
  }

  /**
   * Checks the conditions of a support login again. Triggers delete a support login once they no longer hold,
   * but a login must not survive a faulty trigger (rule support 29, rule support 30). As part of the common
   * statement this check would slow down every request by a tenth.
   */
  private async recheckSupportLogin<Row extends AccessRow>(row: Row | undefined): Promise<Row | undefined> {
    if (row?.kind !== 'support_login') return row;
    const valid = await this.queries.row(RECHECK_SUPPORT_LOGIN, [
      row.credential_id,
      this.settings.loginIdleTtl,
    ]);
    return valid && row;
  }
}
