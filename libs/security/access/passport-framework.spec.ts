import type { Request } from 'express';
import { Passport } from 'passport';
import { Strategy } from 'passport-custom';
import { frameworkOf } from './passport-framework';

/** Ends a request as its options say, once both of them have begun. */
const strategy = new Strategy(
  { passOptionsToCallback: true },
  (_, { error, user }: { error?: Error; user?: object }, done) =>
    setImmediate(() => done(error, user, { from: 'the strategy' })),
);
const passport = new Passport().framework(frameworkOf(strategy)).use('by options', strategy);

type Middleware = (request: Request) => void;

const run = (options: object): Promise<unknown[]> =>
  new Promise((resolve) => {
    const end = (...ended: unknown[]): void => resolve(ended);
    (passport.authenticate('by options', options, end) as Middleware)({} as Request);
  });

it('gives the user of each request to that request, when several run at once', async () => {
  const ended = await Promise.all([1, 2, 3].map((id) => run({ user: { id } })));
  expect(ended).toEqual([1, 2, 3].map((id) => [null, { id }, { from: 'the strategy' }]));
});

it('gives the error of a strategy', async () => {
  const error = new Error('no database');
  expect(await run({ error })).toEqual([error]);
});

it('gives no user, and what the strategy says of it', async () => {
  expect(await run({})).toEqual([null, false, { from: 'the strategy' }, undefined]);
});
