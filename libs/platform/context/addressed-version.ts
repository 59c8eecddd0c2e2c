import type { EntityManager } from 'typeorm';
import { ApiError } from '../errors/api-error';
import { type EntityTags, namesTag } from './entity-tags';

/** 412: the record does not have the state that `If-Match` names. */
export const changedMeanwhile = (): ApiError =>
  new ApiError(412, 'CHANGED_MEANWHILE', 'The record was changed meanwhile: read it again');

/** Where the version of a record is stored. */
export interface VersionedRecord {
  readonly table: string;
  /** Path parameter that names the record. */
  readonly parameter: string;
  /** Column of the parameter (default `id`). */
  readonly key?: string;
  /** SQL for the tag of a row named `record` (default: its version). */
  readonly tag?: string;
  /**
   * For a record without a row until its first change, which is in the state "0": SQL that inserts the row in
   * that state, or else locks what lets only one insert it. $1 is the parameter.
   */
  readonly begin?: string;
}

/** The tag of a record that has no row yet. */
const NO_ROW = '0';

/** SQL for the tag of a record; null without a row. The parameter is the identifier of the record. */
export const tagOf = (record: VersionedRecord, parameter: string): string =>
  `(${selectTag(record, parameter)})`;

const selectTag = ({ table, key = 'id', tag = 'record.version' }: VersionedRecord, parameter: string) =>
  `SELECT (${tag})::text AS tag FROM ${table} record WHERE record.${key} = ${parameter}`;

/** How a request uses the version. */
interface VersionUse {
  /** The tags in `If-Match`. */
  readonly condition: EntityTags | undefined;
  /** The response contains the state after the change. */
  readonly isReadAgain: boolean;
}

/** The record that a request addresses, with the tag of its state. */
export class AddressedVersion {
  constructor(
    private readonly record: VersionedRecord,
    private readonly id: number,
    /** The tag in the response, if any. */
    public tag: string | undefined,
    private readonly use: VersionUse,
  ) {}

  /**
   * With `If-Match`: locks the record before the work of a transaction, and throws 412 if it has another
   * state. A concurrent change waits, and then sees the new state.
   * @param first a statement that takes a lock before the record is locked
   */
  async lockAndCheck(manager: EntityManager, first: string | undefined): Promise<void> {
    const { condition, isReadAgain } = this.use;
    if (condition === undefined) return;
    if (first !== undefined) await manager.query(first);
    if (this.record.begin !== undefined) await manager.query(this.record.begin, [this.id]);
    // A change makes the row; a deletion has nothing to delete.
    const none = this.record.begin !== undefined && isReadAgain ? NO_ROW : undefined;
    const found = (await this.read(manager, 'FOR NO KEY UPDATE')) ?? none;
    // Without a row the record was just deleted; the work notices that.
    if (found !== undefined && !namesTag(condition, found)) throw changedMeanwhile();
  }

  async readAgain(manager: EntityManager): Promise<void> {
    if (this.use.isReadAgain) this.tag = await this.read(manager);
  }

  private async read(manager: EntityManager, lock = ''): Promise<string | undefined> {
    const rows = await manager.query<{ tag: string }[]>(`${selectTag(this.record, '$1')} ${lock}`, [this.id]);
    return rows[0]?.tag;
  }
}
