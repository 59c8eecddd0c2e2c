import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { StrategyCreatedStatic } from 'passport';
import { Strategy } from 'passport-custom';
import { Settings } from '@app/config/settings';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';
import { Unauthorised } from '@app/platform/errors/api-error';
import { digestOf } from '../secrets/digest';
import {
  type AccessRow,
  type AccessStatements,
  accessStatements,
  NOTHING,
  type TokenRow,
} from './access.queries';
import { addressRefusal, unknownCredential } from './credential-refusals';
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

/** The largest identifier (32 bits, rule requests 39). */
const MAX_ID = 2_147_483_647;

/** A positive 32-bit integer in plain decimal; null for any other text. */
export function pathIdentifier(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_ID ? id : null;
}

/**
 * The credential of an `Authorization` header: the raw value, or what follows `Bearer `; undefined if empty.
 */
export function presentedCredential(header: string | undefined): string | undefined {
  const value = header?.trim().replace(/^Bearer(\s+|$)/i, '');
  return value === undefined || value === '' ? undefined : value;
}

/** Longer than any credential of the service, so a longer value is not hashed. */
const MAX_CREDENTIAL_LENGTH = 256;

/** A request that addresses no record: the query finds the caller only. */
const NO_ADDRESS: RequestAddress = { statements: accessStatements(NOTHING), identifiers: [] };

/** Where to look for a credential, in this order: see `AccessStatements`. */
type Places = readonly ['login', 'key'] | readonly ['key', 'login'];

/** Two bytes of a digest select a slot. */
const SLOTS = 65_536;

/**
 * Guesses in which table a credential is, from where it was last time. A wrong guess costs a second statement
 * and changes no result: the database decides on every request.
 */
class CredentialGuess {
  /** By slot: 1 if the last credential was a key. */
  private readonly isKey = new Uint8Array(SLOTS);

  placesOf(digest: Buffer): Places {
    return this.isKey[slotOf(digest)] === 1 ? ['key', 'login'] : ['login', 'key'];
  }

  learn(digest: Buffer, place: Places[number]): void {
    this.isKey[slotOf(digest)] = place === 'key' ? 1 : 0;
  }
}

const slotOf = (digest: Buffer): number => digest.readUInt16LE(0);

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
    const rows = await this.queries.pipelinedRows(introspection.statement, [
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
    let [row] = await this.queries.pipelinedRows(statements[likely], values);
    if (row === undefined) {
      [row] = await this.queries.pipelinedRows(statements[other], values);
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
    const valid = await this.queries.pipelinedRow(RECHECK_SUPPORT_LOGIN, [
      row.credential_id,
      this.settings.loginIdleTtl,
    ]);
    return valid && row;
  }
}

/** Digest by which the tables store the credential; null if the text cannot be a credential. */
const credentialDigest = (credential: unknown): Buffer | null =>
  typeof credential === 'string' && credential.length <= MAX_CREDENTIAL_LENGTH ? digestOf(credential) : null;

/** Finds a request's caller and the records of its path in one query. */
@Injectable()
export class CredentialStrategy extends PassportStrategy(Strategy, 'credential') {
  constructor(private readonly lookup: CredentialLookup) {
    super({ passOptionsToCallback: true });
  }

  validate(request: Request, address: RequestAddress): Promise<AccessRow> {
    return this.lookup.present(request.headers.authorization, address);
  }

  /**
   * Runs a strategy by passport's contract, a new one for each request. `AuthGuard` takes strategies from
   * a global registry, where two applications of one process (tests run both variants) share the last one.
   * After `passport.authenticate` a request survives until the next full garbage collection, which costs
   * 20 microseconds (Node 26).
   */
  run(request: Request, address: RequestAddress): Promise<AccessRow> {
    return new Promise((resolve, reject) => {
      const strategy = new Strategy({ passOptionsToCallback: true }, (_, at: RequestAddress, done) => {
        this.validate(request, at).then((row) => done(null, row), done);
      });
      const actions: Partial<StrategyCreatedStatic> = { success: resolve, error: reject };
      Object.assign(strategy, actions).authenticate(request, address);
    });
  }
}
