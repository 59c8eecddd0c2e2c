import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EMAIL_MAX_LENGTH } from '@app/formats/email-address';
import { withAsciiDomain } from '@app/formats/email-domains';
import { IdentifierField, TextField } from '@app/platform/dto/field.decorators';
import type { RequestShape } from '@app/platform/dto/shapes';
import {
  differences,
  type FieldsOfKind,
  importFields,
  type ImportKind,
  insertRows,
  readRow,
  reasonIn,
  type SourceValues,
  storedRows,
} from './import-kind';
import {
  amountOf,
  assertOneOwner,
  countsOf,
  findOwners,
  idsOf,
  type LimitedTable,
  lockOwners,
  type OwnerIds,
  ownerKey,
  type OwnerReference,
  ownersIn,
  type RecordOwner,
  referenceKey,
} from './record-owners';
import { missingMessage } from './references';

/** The columns that identify the user of a row. */
export class UserOwnedRow {
  @TextField({ max: EMAIL_MAX_LENGTH, emptyIsAbsent: true, read: withAsciiDomain }) username?: string;
  @IdentifierField({ declaredAs: 'integer' }) userId?: number;
}

/** The columns that identify the user or organisation of a row. */
export class OwnedRow extends UserOwnedRow {
  @IdentifierField({ declaredAs: 'integer' }) organisationId?: number;
}

export const USERS = ['username', 'userId'] as const;
const OWNERS = [...USERS, 'organisationId'] as const;

/** The owner in a row. Throws ValidationFailed unless there is exactly one. */
export function ownerOf(row: OwnedRow, names: readonly (keyof OwnerReference)[] = OWNERS): OwnerReference {
  const { username, userId, organisationId } = row;
  const owner = { username, userId, organisationId };
  assertOneOwner(owner, names);
  return owner;
}

/** A record to write, with its owner. */
interface OwnedRecord<Columns> {
  readonly owner: RecordOwner;
  readonly columns: Columns;
}

/** What an import must know about records of users or organisations. */
interface OwnedKind<Row extends { readonly owner: OwnerReference }, Entity extends object> {
  readonly entity: Type<Entity>;
  readonly limited: LimitedTable;
  readonly shape: RequestShape<Row>;
  /** Columns that identify rows, besides the owner's columns. */
  readonly fields: FieldsOfKind;
  /** Converts cells to the form of the API. */
  readonly prepare?: (values: SourceValues) => SourceValues;
  /** Throws ValidationFailed for contradicting fields of a bad row. */
  readonly check?: (values: SourceValues) => void;
  /** The properties that identify records, and the field to report if the key is taken. */
  readonly key: {
    readonly properties: readonly (keyof Row & keyof Entity & string)[];
    readonly field: string;
    /** The message for a key that another owner has. Absent: each owner has its own keys. */
    readonly taken?: string;
  };
  /** The columns of a file that are compared, each with its property. */
  readonly compared: Readonly<Record<string, keyof Row & keyof Entity & string>>;
  /** Finds stored records with the keys of rows: an SQL condition and its parameters. */
  readonly matching: (
    rows: readonly Row[],
    owners: OwnerIds,
  ) => readonly [condition: string, ...values: unknown[]];
  /** The columns of a new record, or the field and message that refuse it. @param now Unix seconds */
  readonly columnsOf: (
    row: Row,
    owner: RecordOwner,
    now: number,
  ) => Partial<Entity> | readonly [field: string, message: string];
  /** The columns of the table for the owner. */
  readonly ownerColumns: readonly (keyof Entity & keyof RecordOwner)[];
}

/** The import of such a kind. */
export function ownedImport<Row extends { readonly owner: OwnerReference }, Entity extends object>(
  kind: OwnedKind<Row, Entity>,
): ImportKind<Row, OwnedRecord<Partial<Entity>>> {
  const { entity, limited, shape, key, compared, prepare = (values) => values } = kind;
  const fields = importFields(shape, kind.fields);
  const names = fields.known.includes('organisationId') ? OWNERS : USERS;
  const keyOf = (owner: string, record: object): string => {
    const values = record as SourceValues;
    const own = key.taken === undefined ? [owner] : [];
    return [...own, ...key.properties.map((property) => textOf(values[property]))].join(' ');
  };
  const properties = [...kind.ownerColumns, ...key.properties, ...Object.values(compared)];
  return {
    table: limited.table,
    fields: { ...fields, identity: [...names, ...fields.identity] },
    read: (values, strict) =>
      readRow(shape, prepare(values), strict, [
        () => assertOneOwner(values, names),
        () => kind.check?.(values),
      ]),
    references: (values) => {
      const [name = '', ...others] = ownersIn(values, names);
      return others.length > 0 ? {} : { [name]: values[name] };
    },
    uniqueIn: (row) => [[key.field, keyOf(referenceKey(row.owner), row)]],
    async find(manager, rows) {
      const owners = await findOwners(manager, rows);
      const ids = idsOf(owners.filter((owner) => owner !== undefined));
      const [condition, ...values] = kind.matching(rows, ids);
      const stored = await storedRows(manager, entity, [...new Set(properties)], condition, values);
      const byKey = new Map(stored.map((record) => [keyOf(ownerKey(record), record), record]));
      const counts = await countsOf(manager, limited, ids);
      const now = await databaseNow(manager);
      return rows.map((row, place) => {
        const owner = owners[place];
        const refused = (field: string, message: string) => ({ reason: reasonIn({ [field]: message }) });
        if (owner === undefined) {
          const [field = ''] = ownersIn(row.owner, names);
          return refused(field, missingMessage(field));
        }
        const found = byKey.get(keyOf(ownerKey(owner), row));
        if (found !== undefined && ownerKey(found) !== ownerKey(owner))
          return refused(key.field, key.taken ?? '');
        if (found !== undefined) return { differences: differences(compared, row, found) };
        const columns = kind.columnsOf(row, owner, now);
        if (isRefusal(columns)) return refused(...columns);
        const amounts = [amountOf(limited, owner, counts.get(ownerKey(owner)))];
        return { record: { owner, columns }, amounts };
      });
    },
    async insert(manager, records) {
      await lockOwners(manager, idsOf(records.map(({ owner }) => owner)));
      await insertRows(
        manager,
        entity,
        records.map(({ columns }) => columns),
      );
    },
  };
}

const textOf = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString('hex') : String(value));

const isRefusal = (value: object): value is readonly [string, string] => Array.isArray(value);

/** Unix seconds of the clock that decides on expiry. */
async function databaseNow(manager: EntityManager): Promise<number> {
  const [row] = await manager.query<[{ now: number }]>(
    'SELECT floor(extract(epoch FROM now()))::float8 AS now',
  );
  return row.now;
}
