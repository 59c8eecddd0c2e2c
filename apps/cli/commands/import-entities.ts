import { ValidationFailed } from '@app/core/errors/api-error';
import { UNKNOWN_FIELD } from '@app/core/wire/read-body';
import { coerceBoolean, coerceInteger, coerceText } from '@app/core/wire/coercion';
import { importEntity } from '@app/entities/entity-import';
import type { ImportedEntity, MailDomain } from '@app/entities/entity.types';
import type { Outcome } from '../outcome';
import { reasonOf } from '../reason';
import { RowImporter, type ImportRun, type RowImport, type RowVerdict } from '../rows/row-import';
import type { ImportOptions } from './import-users';

const FIELDS = ['kind', 'id', 'name', 'organisationId', 'domains'] as const;
const REQUIRED = [['kind'], ['id'], ['name'], ['organisationId']] as const;

/** Brings the register of entities up to date with what another area of the panel knows. */
export const importEntityFile = (run: ImportRun, options: ImportOptions): Promise<Outcome> =>
  new RowImporter(entityRows(options), run).import();

const entityRows = ({ ignoreUnknown }: ImportOptions): RowImport<ImportedEntity> => ({
  columns: { known: FIELDS, required: REQUIRED, ignoreUnknown },
  read: (values) => {
    const unknown = Object.keys(values).filter((name) => !(FIELDS as readonly string[]).includes(name));
    if (unknown.length > 0 && !ignoreUnknown) {
      throw new ValidationFailed(Object.fromEntries(unknown.map((name) => [name, [UNKNOWN_FIELD]])));
    }
    // importEntity checks every field: what is no integer or list is left as it is for it to refuse.
    return {
      kind: values['kind'],
      id: coerceInteger(values['id']),
      name: coerceText(values['name']),
      organisationId: coerceInteger(values['organisationId']),
      domains: domainsOf(values['domains']),
    } as ImportedEntity;
  },
  store: async (manager, entities) => {
    const verdicts: RowVerdict[] = [];
    for (const entity of entities) {
      try {
        await importEntity(manager, entity);
        verdicts.push('stored');
      } catch (error) {
        // Found before anything was written: the transaction goes on. Errors of PostgreSQL have ended it.
        if (!(error instanceof ValidationFailed)) throw error;
        verdicts.push({ error: reasonOf(error) ?? error.message });
      }
    }
    return verdicts;
  },
});

/** A list, in a csv cell as JSON; identifiers and the flag of its items may be text, as everywhere. */
function domainsOf(value: unknown): readonly MailDomain[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const domains = typeof value === 'string' ? parsedOrItself(value) : value;
  return (Array.isArray(domains) ? domains.map(domainOf) : domains) as readonly MailDomain[];
}

function domainOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { id, name, mailPrimary, domaintype } = value as Record<string, unknown>;
  const type = typeof domaintype === 'object' && domaintype !== null ? domaintype : {};
  const { id: typeId, extension } = type as Record<string, unknown>;
  return {
    id: coerceInteger(id),
    name: coerceText(name),
    mailPrimary: coerceBoolean(mailPrimary),
    domaintype: { id: coerceInteger(typeId), extension: coerceText(extension) },
  };
}

function parsedOrItself(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
