import type { EntityManager } from 'typeorm';
import type { Person, StoredRecord } from '@app/lifecycle/personal-data';
import { type PersonColumns, PersonWords } from './person-words';

/** A record of a person, present or deleted, as in the audit log. */
export interface OwnRecord {
  readonly tableName: string;
  readonly recordId: number;
}

/** Rows of the audit log per statement. */
export const AUDIT_RANGE = 5000;

const LAST = `SELECT coalesce(max(id), 0) AS last FROM audit_log`;

/** Records that one statement clears. */
const RECORDS_AT_ONCE = 500;

/** Tables whose rows contain names of the person. An erasure clears them last. */
const NAMING_TABLES: ReadonlySet<string> = new Set(['users', 'contacts']);

function naming(): string {
  return [...NAMING_TABLES].map((table) => `'${table}'`).join(', ');
}

/** Insert and delete rows contain the user; update rows are found by the record. */
const OWN_RECORDS = `
  SELECT DISTINCT table_name AS "tableName", record_id AS "recordId" FROM audit_log
  WHERE id BETWEEN $2 AND $3 AND ((table_name = 'users' AND record_id = $1)
    OR before ->> 'user_id' = $1::text OR after ->> 'user_id' = $1::text)`;

const INVITATIONS = `
  SELECT DISTINCT table_name AS "tableName", record_id AS "recordId" FROM audit_log
  WHERE id BETWEEN $2 AND $3 AND table_name = 'invitations'
    AND (fold_case(before ->> 'email') = ANY ($1::text[]) OR fold_case(after ->> 'email') = ANY ($1::text[]))`;

const WORDS = `
  SELECT a.table_name AS "tableName", a.before, a.after
  FROM audit_log a JOIN unnest($1::text[], $2::integer[]) AS own (table_name, record_id) USING (table_name, record_id)
  WHERE a.table_name IN (${naming()})
    -- Another spelling of a name says nothing about whether it is verified.
    AND NOT (a.table_name = 'users' AND a.action = 'update'
      AND coalesce(fold_case(a.before ->> 'username') = fold_case(a.after ->> 'username'), false))
  ORDER BY a.id DESC`;

const STORED = `
  SELECT id, at, CASE WHEN actor_user_id = $1 THEN 'you' WHEN actor_user_id IS NOT NULL THEN 'another user'
      ELSE coalesce(actor_credential_kind, 'the operator') END AS by,
    CASE WHEN actor_user_id IS NULL OR actor_user_id = $1 THEN address END AS address,
    action, table_name AS "table", record_id AS "recordId", organisation_id AS "organisationId",
    CASE WHEN is_own THEN before END AS before, CASE WHEN is_own THEN after END AS after
  FROM (
    SELECT a.*, (a.table_name, a.record_id) IN (SELECT * FROM unnest($2::text[], $3::integer[])) AS is_own
    FROM audit_log a WHERE a.id BETWEEN $4 AND $5
  ) known
  WHERE is_own OR actor_user_id = $1 ORDER BY id`;

/**
 * Users who had a name or an address. Update rows of a contact do not contain the user;
 * insert and delete rows do.
 */
const KNOWN_AS = `
  SELECT DISTINCT CASE found.table_name WHEN 'users' THEN found.record_id ELSE (
      SELECT coalesce(a.before ->> 'user_id', a.after ->> 'user_id')::integer FROM audit_log a
      WHERE a.table_name = found.table_name AND a.record_id = found.record_id
        AND coalesce(a.before ->> 'user_id', a.after ->> 'user_id') IS NOT NULL LIMIT 1) END AS "userId"
  FROM audit_log found
  WHERE id BETWEEN $2 AND $3 AND table_name IN (${naming()})
    AND $1 IN (fold_case(before ->> 'username'), fold_case(after ->> 'username'), fold_case(before ->> 'name'),
      fold_case(after ->> 'name'), fold_case(before ->> 'former_username'), fold_case(after ->> 'former_username'))`;

/** The traces of a person in the audit log. Each statement handles a range of ids. */
export class AuditTraces {
  private readonly records = new Map<string, OwnRecord>();

  constructor(private readonly userId: number) {
    this.add([{ tableName: 'users', recordId: userId }]);
  }

  static async last(manager: EntityManager): Promise<number> {
    const [row] = await manager.query<{ last: number }[]>(LAST);
    return Number(row?.last ?? 0);
  }

  /** Users who had a name or an address (both folded), from a range of rows. */
  static async usersKnownAs(
    manager: EntityManager,
    name: string,
    from: number,
    to: number,
  ): Promise<number[]> {
    const rows = await manager.query<{ userId: number | null }[]>(KNOWN_AS, [name, from, to]);
    return rows.map(({ userId }) => userId).filter((id) => id !== null);
  }

  /** Finds records of the person in a range of rows. */
  async findRecords(manager: EntityManager, from: number, to: number): Promise<readonly OwnRecord[]> {
    return this.add(await manager.query<OwnRecord[]>(OWN_RECORDS, [this.userId, from, to]));
  }

  /** Finds invitations to addresses of the person. */
  async findInvitations(
    manager: EntityManager,
    addresses: readonly string[],
    from: number,
    to: number,
  ): Promise<readonly OwnRecord[]> {
    return this.add(await manager.query<OwnRecord[]>(INVITATIONS, [addresses, from, to]));
  }

  /**
   * Adds all former names and addresses of the person. A change shows only what it changed, so it is read
   * from the present state backwards whether a name was verified.
   */
  async addWords(manager: EntityManager, words: PersonWords, isVerifiedNow: boolean): Promise<void> {
    const rows = await manager.query<
      { tableName: string; before: PersonColumns | null; after: PersonColumns | null }[]
    >(WORDS, this.pairs());
    let isVerified = isVerifiedNow;
    for (const { tableName, before, after } of rows) {
      for (const columns of [after, before]) {
        if (columns === null) continue;
        const { username_verified: value } = columns;
        if (tableName === 'contacts') words.addAddress(columns['name']);
        else {
          if (typeof value === 'boolean') isVerified = value;
          words.addUser(columns, isVerified);
        }
      }
    }
  }

  stored(manager: EntityManager, from: number, to: number): Promise<StoredRecord[]> {
    return manager.query(STORED, [this.userId, ...this.pairs(), from, to]);
  }

  /** Removes the person from texts about other records, and the IP addresses of the person's own acts. */
  forgetMentions(manager: EntityManager, person: Person, from: number, to: number): Promise<number> {
    const { id, organisationId, within, everywhere } = person;
    return touched(manager, 'forget_in_audit($1, $2, $3, $4, $5, $6, $7, $8)', [
      id,
      everywhere,
      within,
      organisationId,
      from,
      to,
      ...this.pairs(),
    ]);
  }

  /** Removes all texts from the rows about records of the person. */
  forgetRecords(manager: EntityManager, records: readonly OwnRecord[]): Promise<number> {
    return touched(manager, 'forget_records_in_audit($1, $2, $3)', [this.userId, ...pairsOf(records)]);
  }

  /** Records outside NAMING_TABLES, in batches. */
  *batches(): Generator<readonly OwnRecord[]> {
    const records = [...this.records.values()].filter(({ tableName }) => !NAMING_TABLES.has(tableName));
    for (let at = 0; at < records.length; at += RECORDS_AT_ONCE)
      yield records.slice(at, at + RECORDS_AT_ONCE);
  }

  /** The records that are not `done`. */
  except(done: Iterable<OwnRecord>): readonly OwnRecord[] {
    const isDone = new Set([...done].map(keyOf));
    return [...this.records.values()].filter((record) => !isDone.has(keyOf(record)));
  }

  private pairs(): [readonly string[], readonly number[]] {
    return pairsOf([...this.records.values()]);
  }

  private add(found: readonly OwnRecord[]): readonly OwnRecord[] {
    for (const record of found) this.records.set(keyOf(record), record);
    return found;
  }
}

const keyOf = ({ tableName, recordId }: OwnRecord): string => `${tableName} ${recordId}`;

const pairsOf = (records: readonly OwnRecord[]): [readonly string[], readonly number[]] => [
  records.map(({ tableName }) => tableName),
  records.map(({ recordId }) => recordId),
];

async function touched(manager: EntityManager, call: string, values: readonly unknown[]): Promise<number> {
  const [row] = await manager.query<{ touched: number }[]>(`SELECT ${call} AS touched`, [...values]);
  return row?.touched ?? 0;
}
