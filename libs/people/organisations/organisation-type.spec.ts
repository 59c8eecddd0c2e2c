import { ValidationFailed } from '@app/platform/errors/api-error';
import { assertTypeGivable, NEW, resellerGiven } from './organisation-type';

const ADMIN = { roles: ['ROLE_ADMIN'] } as const;
const MANAGER = { roles: ['ROLE_CUSTADMIN'] } as const;

describe('the type of an organisation', () => {
  const customer = NEW;
  /** Gave itself the type. */
  const selfMade = { organisationType: 2, isReseller: false };
  const reseller = { organisationType: 2, isReseller: true };

  it.each([
    ['an admin gives Reseller', ADMIN, 2, customer, true],
    ['an admin takes it', ADMIN, 1, reseller, false],
    ['an admin takes it for Operator', ADMIN, 3, reseller, false],
    ['an admin repeats what is there', ADMIN, 2, selfMade, undefined],
    ['an admin takes what nobody gave', ADMIN, 1, selfMade, undefined],
    ['an admin names no type', ADMIN, undefined, reseller, undefined],
    ['a manager gives Reseller', MANAGER, 2, customer, undefined],
    ['a manager takes it', MANAGER, 1, reseller, undefined],
  ])('bounds customers as admins say: %s', (_, caller, type, before, expected) => {
    expect(resellerGiven(caller, type, before)).toBe(expected);
  });

  it('is Operator by admins alone, except where it is that already', () => {
    const operator = { organisationType: 3, isReseller: false };
    expect(() => assertTypeGivable(MANAGER, 3, customer)).toThrow(ValidationFailed);
    expect(() => assertTypeGivable(ADMIN, 3, customer)).not.toThrow();
    expect(() => assertTypeGivable(MANAGER, 3, operator)).not.toThrow();
    expect(() => assertTypeGivable(MANAGER, 2, customer)).not.toThrow();
    expect(() => assertTypeGivable(MANAGER, undefined, customer)).not.toThrow();
  });
});
