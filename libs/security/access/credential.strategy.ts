import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-custom';
import type { AccessRow } from './access.queries';
import type { CredentialLookup, RequestAddress } from './credential-lookup';
import { frameworkOf } from './passport-framework';

/** What the guard tells the strategy of a request. */
export interface CredentialOptions {
  /** That of the guard's own application. */
  readonly lookup: CredentialLookup;
  /** What the route addresses. */
  readonly address: RequestAddress;
}

/**
 * Finds a request's caller and the records of its path in one query. Passport knows one strategy of a name in
 * a process, so this one holds nothing of an application: tests run several beside each other.
 */
@Injectable()
export class CredentialStrategy extends PassportStrategy(Strategy, 'credential') {
  constructor() {
    super({ passOptionsToCallback: true });
    passport.framework(frameworkOf(this));
  }

  validate({ headers }: Request, { lookup, address }: CredentialOptions): Promise<AccessRow> {
    const { introspection, identifiers } = address;
    return introspection === undefined
      ? lookup.present(headers.authorization, address)
      : lookup.presentWithToken(headers.authorization, introspection, identifiers);
  }
}
