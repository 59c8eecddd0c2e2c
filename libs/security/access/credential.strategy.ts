import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { StrategyCreatedStatic } from 'passport';
import { Strategy } from 'passport-custom';
import type { AccessRow } from './access.queries';
import { CredentialLookup, type RequestAddress } from './credential-lookup';

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
