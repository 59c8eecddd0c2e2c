import type { EntityManager } from 'typeorm';
import { ValidationFailed } from '@app/core/errors/api-error';
import { UNKNOWN_FIELD } from '@app/core/wire/read-body';
import { fault } from '@app/core/errors/fault';
import { coerceBoolean, coerceInteger, coerceText } from '@app/core/wire/coercion';
import { findEntities, type EntityRow } from '@app/entities/entity-comparison';
import { registerEntity, removeEntity } from '@app/entities/entity-register';
import type { ImportedEntity } from '@app/entities/entity.types';
import { coerceMailDomains } from '@app/entities/mail-domains';
import type { MailDomain } from '@app/teams/mail-domain.types';
import { reasonOf } from '../reason';
import type { RowImport, RowVerdict } from '../rows/row-import';

const FIELDS = ['kind', 'id', 'name', 'organisationId', 'domains', 'removed'] as const;
/** What is removed needs no more. */
const REQUIRED = [['kind'], ['id']] as const;

const NO_FLAG = fault('WRONG_TYPE', 'This value should be true or false.');

/** Brings the register of entities up to date with what another area of the panel knows. */
export const entityRows: RowImport<EntityRow> = {
  fields: { known: FIELDS, required: REQUIRED },
  read: (values, strict) => {
    const unknown = Object.keys(values).filter((name) => !(FIELDS as readonly string[]).includes(name));
    if (unknown.length > 0 && strict) {
      throw new ValidationFailed(Object.fromEntries(unknown.map((name) => [name, [UNKNOWN_FIELD]])));
    }
    // The register checks every field: what is no integer or list is left as it is for it to refuse.
    const entity = {
      kind: values['kind'],
      id: coerceInteger(values['id']),
      name: coerceText(values['name']),
      organisationId: coerceInteger(values['organisationId']),
      domains: domainsOf(values['domains']),
    } as ImportedEntity;
    return { entity, isRemoved: removedOf(values['removed']) };
  },
  find: findEntities,
  store: async (manager, rows) => {
    const verdicts: RowVerdict[] = [];
    for (const row of rows) {
      try {
        verdicts.push(await storeRow(manager, row));
      } catch (error) {
        // Found before anything was written: the transaction goes on. Errors of PostgreSQL have ended it.
        if (!(error instanceof ValidationFailed)) throw error;
        verdicts.push({ error: reasonOf(error) ?? error.message });
      }
    }
    return verdicts;
  },
};

/** An entity that is gone already was removed by an earlier run. */
async function storeRow(manager: EntityManager, { entity, isRemoved }: EntityRow): Promise<RowVerdict> {
  if (isRemoved) return (await removeEntity(manager, entity)) ? 'stored' : 'kept';
  await registerEntity(manager, entity);
  return 'stored';
}

function removedOf(value: unknown): boolean {
  const removed = value === undefined || value === null || value === '' ? false : coerceBoolean(value);
  if (typeof removed !== 'boolean') throw ValidationFailed.on('removed', NO_FLAG);
  return removed;
}

/** A list, in a csv cell as JSON. */
function domainsOf(value: unknown): readonly MailDomain[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return coerceMailDomains(
    typeof value === 'string' ? parsedOrItself(value) : value,
  ) as readonly MailDomain[];
}

function parsedOrItself(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
