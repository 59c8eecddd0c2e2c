import type { EntityManager } from 'typeorm';
import type { MailDomain } from '@app/people/teams/team.types';
import { coerceBoolean, coerceInteger, coerceText } from '@app/platform/dto/coercion';
import { UNKNOWN_FIELD } from '@app/platform/dto/shape.pipe';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import type { ImportedEntity } from '@app/records/entities/entity.types';
import {
  faultsOfEntity,
  faultsOfKey,
  registerEntity,
  removeEntity,
} from '@app/records/entities/entity-register';
import { coerceMailDomains } from '@app/records/entities/mail-domains';
import { reasonOf } from '../refusal';
import { jsonOfText, type RowKind, type RowVerdict, type RowWriter } from './import-kind';

/** A row of a file: an entity, or its removal. */
interface EntityRow {
  readonly entity: ImportedEntity;
  readonly isRemoved: boolean;
}

const FIELDS = ['kind', 'id', 'name', 'organisationId', 'domains', 'removed'] as const;
/** The required fields of a removal. */
const REQUIRED = [['kind'], ['id']] as const;

const NO_FLAG = fieldError('WRONG_TYPE', 'This value should be true or false.');

/** Updates the register of entities with the data of another area of the panel. */
export const entityImport: RowKind<EntityRow> & RowWriter<EntityRow> = {
  fields: { known: FIELDS, required: REQUIRED, identity: ['kind', 'id'], secret: [] },
  read: (values, strict) => {
    const unknown = Object.keys(values).filter((name) => !(FIELDS as readonly string[]).includes(name));
    const removed = removedOf(values['removed']);
    // The register validates every field, so values of other types are not changed.
    const entity = {
      kind: values['kind'],
      id: coerceInteger(values['id']),
      name: coerceText(values['name']),
      organisationId: coerceInteger(values['organisationId']),
      domains: domainsOf(values['domains']),
    } as ImportedEntity;
    const errors = {
      ...(strict && Object.fromEntries(unknown.map((name) => [name, [UNKNOWN_FIELD]]))),
      ...(removed === undefined && { removed: [NO_FLAG] }),
      ...(removed === false ? faultsOfEntity(entity) : faultsOfKey(entity)),
    };
    if (removed === undefined || Object.keys(errors).length > 0) throw new ValidationFailed(errors);
    return { entity, isRemoved: removed };
  },
  references: ({ organisationId, removed }) => (removedOf(removed) === false ? { organisationId } : {}),
  store: async (manager, rows) => {
    const verdicts: RowVerdict[] = [];
    for (const row of rows) {
      try {
        verdicts.push(await storeRow(manager, row));
      } catch (error) {
        // Validation fails before any write, so the transaction can continue. An error of PostgreSQL ends it.
        if (!(error instanceof ValidationFailed)) throw error;
        verdicts.push({ error: reasonOf(error) ?? error.message });
      }
    }
    return verdicts;
  },
};

/** If the entity is missing, an earlier run has removed it. */
async function storeRow(manager: EntityManager, { entity, isRemoved }: EntityRow): Promise<RowVerdict> {
  if (isRemoved) return (await removeEntity(manager, entity)) ? 'stored' : 'kept';
  await registerEntity(manager, entity);
  return 'stored';
}

/** Undefined for a value that is neither true nor false. */
function removedOf(value: unknown): boolean | undefined {
  const removed = value === undefined || value === null || value === '' ? false : coerceBoolean(value);
  return typeof removed === 'boolean' ? removed : undefined;
}

/** A list; in a csv cell as JSON. */
function domainsOf(value: unknown): readonly MailDomain[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return coerceMailDomains(jsonOfText(value)) as readonly MailDomain[];
}
