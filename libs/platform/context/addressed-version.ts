import type { EntityManager } from 'typeorm';
import { ApiError } from '../errors/api-error';
import type { EntityTags } from './entity-tags';

/** 412: `If-Match` names another state of the record. */
export class ChangedMeanwhile extends ApiError {
  constructor() {
    super(412, 'CHANGED_MEANWHILE', 'The record was changed meanwhile: read it again');
  }
}

/** Where the version of a record is kept. */
export interface VersionedRecord {
  readonly table: string;
  /** Path parameter that names the record. */
  readonly parameter: string;
  /** Column of the parameter (default `id`). */
  readonly key?: string;
  /** SQL of the tag of a row named `record` (default: its version). */
  readonly tag?: string;
  /** For a record that is there before its row: makes the row, in the state "0". $1 is the parameter. */
  readonly begin?: string;
}

/** SQL of the tag of a record, whose identifier is the parameter. Null for a record without a row. */
export const tagOf = (record: VersionedRecord, parameter: string): string =>
  `(${selectTag(record, parameter)})`;

const selectTag = ({ table, key = 'id', tag = 'record.version' }: VersionedRecord, parameter: string) =>
  `SELECT (${tag})::text AS tag FROM ${table} record WHERE record.${key} = ${parameter}`;

/** How a request uses the version. */
interface VersionUse {
  /** Of `If-Match`. */
  readonly condition: EntityTags | undefined;
  /** The response names the state after the change. */
  readonly isReadAgain: boolean;
}

/** The record that a request addresses, with the tag of its state. */
export class AddressedVersion {
  constructor(
    private readonly record: VersionedRecord,
    private readonly id: number,
    /** The tag of the response; undefined: it has none. */
    public tag: string | undefined,
    private readonly use: VersionUse,
  ) {}

  /**
   * With `If-Match`: locks the record before the work of a transaction, and throws 412 if it is in another state. A
   * concurrent change waits, and is judged by the state that it then finds.
   * @param first a statement that takes a lock before the record is locked
   */
  async hold(manager: EntityManager, first: string | undefined): Promise<void> {
    const { condition } = this.use;
    if (condition === undefined) return;
    if (first !== undefined) await manager.query(first);
    if (this.record.begin !== undefined) await manager.query(this.record.begin, [this.id]);
    const found = await this.read(manager, 'FOR NO KEY UPDATE');
    // Without a row the record was deleted a moment ago: the work finds that out.
    if (found !== undefined && condition !== '*' && !condition.includes(found)) throw new ChangedMeanwhile();
  }

  /** Reads the tag after the work of a transaction. */
  async readAgain(manager: EntityManager): Promise<void> {
    if (this.use.isReadAgain) this.tag = await this.read(manager);
  }

  private async read(manager: EntityManager, lock = ''): Promise<string | undefined> {
    const rows = await manager.query<{ tag: string }[]>(`${selectTag(this.record, '$1')} ${lock}`, [this.id]);
    return rows[0]?.tag;
  }
}
