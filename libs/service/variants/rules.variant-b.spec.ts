import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { RULES_OF_ONE_VARIANT } from './rules.variant-b';
import type { Variant } from './variant';
import { VARIANT_A } from './variant-a';
import { VARIANT_B } from './variant-b';

/** What a variant binds: shapes, and what else its services decide by. */
const boundIn = (providers: Variant['providers']): Map<string, object> =>
  new Map(
    providers.map((provider) => [
      (provider.provide as Type<object>).name,
      'useClass' in provider ? new (provider.useClass as Type<object>)() : (provider.useValue as object),
    ]),
  );

/** Requests and responses, of which docs/variants.md is made. */
const isShape = (value: unknown): boolean => typeof value === 'object' && value !== null && 'body' in value;

/** The values by which a service decides: members of shapes, and whatever is none. */
function decidingValues(name: string, bound: object): string[] {
  if (!name.endsWith('Shapes')) return [name];
  return Object.entries(bound)
    .filter(([, value]) => !isShape(value))
    .map(([member]) => `${name}.${member}`);
}

it('has words for every value by which a service decides otherwise in one variant', () => {
  const inA = boundIn(VARIANT_A.providers);
  const values = [...boundIn(VARIANT_B.providers)].flatMap(([name, bound]) =>
    inA.has(name) ? decidingValues(name, bound) : [],
  );
  expect(RULES_OF_ONE_VARIANT.flatMap(({ decidedBy }) => decidedBy).sort()).toEqual(values.sort());
});
