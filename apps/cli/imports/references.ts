import type { EntityManager } from 'typeorm';
import { withAsciiDomain } from '@app/formats/email-domains';
import { ORGANISATION_CONSTRAINT_ERRORS } from '@app/people/organisations/organisation.types';
import { coerceInteger, MAX_INTEGER } from '@app/platform/dto/coercion';
import type { SourceValues } from './import-kind';

const messageOf = (constraint: string): string => ORGANISATION_CONSTRAINT_ERRORS[constraint]?.message ?? '';

const NO_USER = 'This user does not exist.';

const ORGANISATION = [
  'SELECT id AS key FROM organisations WHERE deleted_at IS NULL AND id = ANY ($1)',
  'This organisation does not exist.',
] as const;

/**
 * The fields that refer to a record: SQL for the existing ones of the keys $1, and the
 * message for a missing one.
 */
const REFERENCES: Readonly<Record<string, readonly [existing: string, missing: string]>> = {
  organisationId: ORGANISATION,
  granteeId: ORGANISATION,
  userId: ['SELECT id AS key FROM users WHERE deleted_at IS NULL AND id = ANY ($1)', NO_USER],
  username: [
    'SELECT fold_case(username) AS key FROM users WHERE deleted_at IS NULL AND fold_case(username) = ANY ($1)',
    NO_USER,
  ],
  organisationType: [
    'SELECT identifier AS key FROM organisation_types WHERE identifier = ANY ($1)',
    messageOf('organisations_type_exists'),
  ],
  pricegroup: [
    'SELECT id AS key FROM price_groups WHERE id = ANY ($1)',
    messageOf('organisations_price_group_exists'),
  ],
};

export const missingMessage = (field: string): string => REFERENCES[field]?.[1] ?? '';

/**
 * The references to missing records in each row: messages by field. Values that cannot
 * be references are ignored.
 */
export async function missingReferences(
  manager: EntityManager,
  rows: readonly SourceValues[],
): Promise<Record<string, string>[]> {
  const missing = rows.map((): Record<string, string> => ({}));
  for (const [field, [existing, message]] of Object.entries(REFERENCES)) {
    const keys = rows.map((values) => (field === 'username' ? nameIn(values) : identifierIn(values, field)));
    const wanted = new Set(keys.filter((key) => key !== undefined));
    if (wanted.size === 0) continue;
    const found = await manager.query<{ key: string | number }[]>(existing, [[...wanted]]);
    for (const { key } of found) wanted.delete(key);
    keys.forEach((key, place) => {
      if (key !== undefined && wanted.has(key)) Object.assign(missing[place] ?? {}, { [field]: message });
    });
  }
  return missing;
}

const nameIn = ({ username }: SourceValues): string | undefined =>
  typeof username === 'string' ? withAsciiDomain(username).toLowerCase() : undefined;

/** The identifier in a field of a row, if it is valid. */
export function identifierIn(values: SourceValues, field: string): number | undefined {
  const id = coerceInteger(values[field]);
  return Number.isInteger(id) && Number(id) > 0 && Number(id) <= MAX_INTEGER ? Number(id) : undefined;
}
