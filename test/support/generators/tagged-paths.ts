import type { PerVariant, Variant } from '../../../qa/variants';
import { IDENTIFIERS } from '../factories/domain-records';
import { RULES } from './access-table';

const OF_ORGANISATION = '/v1/organisations/:organisationId';
const OF_USER = `${OF_ORGANISATION}/users/:userId`;

/** Parts of a record with an entity tag of their own, and a change of each. */
const PARTS: Readonly<Record<string, (number: number) => object>> = {
  [`${OF_ORGANISATION}/billing`]: (number) => ({ discount: `${number}%` }),
  [`${OF_ORGANISATION}/brand`]: (number) => ({ name: `Brand ${number}` }),
  [`${OF_USER}/preferences`]: (number) => ({ shortcuts: [{ number }] }),
};

/** Paths of records that are changed there and read elsewhere. */
export const CHANGED_ALONE: PerVariant<readonly string[]> = {
  A: [],
  B: [`${OF_ORGANISATION}/cp3/users/:userId`],
};

/** A change of the record at the end of a path; each number makes another one. */
export const changeOf = (path: string): ((number: number) => object) | undefined =>
  PARTS[path] ?? IDENTIFIERS[/\/:(\w+)$/.exec(path)?.[1] ?? '']?.change;

/**
 * rule idempotency 17: the single records that have an entity tag, by the routes of the access table and what
 * the makers of records say; grants follow their convention.
 */
export const taggedPaths = (variant: Variant): readonly string[] =>
  Object.keys(RULES[variant])
    .filter((route) => route.startsWith('GET '))
    .map((route) => route.slice('GET '.length))
    .filter((path) => changeOf(path) !== undefined);
