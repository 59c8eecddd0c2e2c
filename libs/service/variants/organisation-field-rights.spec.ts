import 'reflect-metadata';
import { ORGANISATION_FIELDS, type Writer } from '@app/people/organisations/organisation.columns';
import type { OrganisationChanges } from '@app/people/organisations/organisation-changes.types';
import {
  assertFieldsWritable,
  withoutForeignNulls,
} from '@app/people/organisations/organisation-field-rights';
import { OrganisationsShapes } from '@app/people/organisations/shapes/organisations.shapes';
import { describedFields } from '@app/platform/dto/described-fields';
import type { RequestShape } from '@app/platform/dto/shapes';
import { ValidationFailed } from '@app/platform/errors/api-error';
import type { Role } from '@app/security/access/roles';
import { VARIANTS } from '../../../qa/variants';
import { boundShapes } from '../../../test/support/generators/bound-shapes';

const SHAPES = VARIANTS.flatMap((variant): [name: string, shape: RequestShape<object>][] => {
  const { create, update } = boundShapes(OrganisationsShapes, variant);
  return [
    [`creation, Variant ${variant}`, create],
    [`change, Variant ${variant}`, update],
  ];
});

const WORDS: Readonly<Record<Writer, RegExp>> = {
  manager: /^(?!.*\bonly\b)/i,
  reseller: /^Admin and reseller only(;|$)/,
  admin: /^Admin only(;|$)/,
  nobody: /^no request has the field$/,
};

const descriptionOf = (shape: RequestShape<object>, field: string): string =>
  describedFields(shape.body).get(field)?.description ?? '';

/** The fields of the domain that a field of a request sets. */
const setBy = (shape: RequestShape<object>, field: string, value: unknown): (keyof OrganisationChanges)[] =>
  Object.entries(shape.toInput({ [field]: value })).flatMap(([name, set]) =>
    set === undefined || name === 'proof' ? [] : [name as keyof OrganisationChanges],
  );

/** They prove who asks, and are no fields of the organisation. */
const PROOF = ['password', '6digitCode'];

const callerWith = (role: Role, organisationId: number) => ({ roles: [role], organisationId });

const HERE = { resellerId: 4 };
const MANAGER = { caller: callerWith('ROLE_CUSTADMIN', 3), ...HERE };
const RESELLER = { caller: callerWith('ROLE_CUSTADMIN', 4), ...HERE };
const ADMIN = { caller: callerWith('ROLE_ADMIN', 1), ...HERE };

const refused = (input: object, writer: typeof MANAGER): string[] => {
  try {
    assertFieldsWritable(input as OrganisationChanges, writer);
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) return Object.keys(error.fields ?? {});
    throw error;
  }
};

describe.each(SHAPES)('%s', (_, shape) => {
  it.each([...describedFields(shape.body).keys()].filter((field) => !PROOF.includes(field)))(
    '%s says who may set it, and is refused to others',
    (field) => {
      const value = field === 'invoiceDay' ? { min: 1, max: 2 } : 1;
      const names = setBy(shape, field, value);
      expect(names).not.toEqual([]);
      for (const name of names) {
        const { writableBy } = ORGANISATION_FIELDS[name];
        expect(descriptionOf(shape, field)).toMatch(WORDS[writableBy]);
        expect(refused({ [name]: value }, MANAGER)).toEqual(writableBy === 'manager' ? [] : [field]);
        expect(refused({ [name]: value }, RESELLER)).toEqual(writableBy === 'admin' ? [field] : []);
        expect(refused({ [name]: value }, ADMIN)).toEqual([]);
      }
    },
  );
});

it('refuses what no request has', () => {
  expect(refused({ beneathCount: 7 }, ADMIN)).toEqual(['beneathCount']);
});

it('takes a null for absent where the caller may not set the field, and leaves its input alone', () => {
  const input = { name: 'N', taxNumber: 'T', externalId: null, information: null };
  expect(withoutForeignNulls(input, MANAGER)).toEqual({ name: 'N', taxNumber: 'T', information: null });
  expect(withoutForeignNulls(input, ADMIN)).toEqual(input);
  expect(input.externalId).toBeNull();
});
