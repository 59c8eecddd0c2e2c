import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import { Unauthorised } from '../errors/api-error';
import type { AccessRow } from './access-query';
import { CredentialLookup } from './credential-lookup';
import { ADDRESS_PROPERTY, type AddressedRequest } from './request-address';

/** Finds the user behind the credential of a request and, in the same query, what the path addresses. */
@Injectable()
export class CredentialStrategy extends PassportStrategy(Strategy, 'credential') {
  constructor(private readonly lookup: CredentialLookup) {
    super();
  }

  validate(request: Request): Promise<AccessRow> {
    const { statement, identifiers } = (request as AddressedRequest)[ADDRESS_PROPERTY];
    return this.lookup.find(request, statement, identifiers);
  }

  /**
   * Runs this strategy on one request by passport's contract: a copy of it, with the ways to end as methods.
   * `passport.authenticate` would do the same, but goes over a registry that all services of a process share,
   * and hangs its session methods on every request object, which slowed a whole read by a third.
   */
  run(request: Request): Promise<AccessRow> {
    return new Promise((resolve, reject) => {
      const running = Object.create(this, {
        success: { value: resolve },
        error: { value: reject },
        fail: { value: () => reject(new Unauthorised()) },
      }) as CredentialStrategy;
      running.authenticate(request);
    });
  }
}
