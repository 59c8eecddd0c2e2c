import type { EntityManager } from 'typeorm';
import type { StoredRecord } from '@app/lifecycle/personal-data';

/** A record of a person, present or deleted, as in the audit log. */
interface OwnRecord {
  readonly tableName: string;
  readonly recordId: number;
}

/** Rows of the audit log per statement. */
const AUDIT_RANGE = 5000;

/** Records that one statement clears. */
const RECORDS_AT_ONCE = 500;

const LAST = `SELECT coalesce(max(id), 0) AS last FROM audit_log`;

/**
 * Insert and delete rows contain the user; update rows are found by the record. Rows about invitations
 * contain the address.
 */
const OWN_RECORDS = `
  SELECT DISTINCT table_name AS "tableName", record_id AS "recordId" FROM audit_log
  WHERE id BETWEEN $3 AND $4 AND (before ->> 'user_id' = $1::text OR after ->> 'user_id' = $1::text
    OR (table_name = 'invitations'
      AND (fold_case(before ->> 'email') = ANY ($2::text[]) OR fold_case(after ->> 'email') = ANY ($2::text[]))))`;

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
  WHERE id BETWEEN $2 AND $3 AND table_name IN ('users', 'contacts')
    AND $1 IN (fold_case(before ->> 'username'), fold_case(after ->> 'username'), fold_case(before ->> 'name'),
      fold_case(after ->> 'name'), fold_case(before ->> 'former_username'), fold_case(after ->> 'former_username'))`;

/** The changes of a user's row, the newest first. */
const NAMES = `
  SELECT before, after FROM audit_log WHERE table_name = 'users' AND record_id = $1 ORDER BY id DESC`;

type Columns = Readonly<Record<string, unknown>> | null;

/** Replaces erased texts in the audit log. */
const ERASED = '(erased)';

/** The traces of a person in the audit log. A search handles a range of rows at a time. */
export class AuditTraces {
  private readonly records = new Map<string, OwnRecord>();

  constructor(
    private readonly userId: number,
    private readonly verifiedNames: readonly string[],
    invitationIds: readonly number[],
  ) {
    this.add(invitationIds.map((recordId) => ({ tableName: 'invitations', recordId })));
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

  /** The user names that a user had while they were verified, and has no more. */
  static async formerVerifiedNames(
    manager: EntityManager,
    userId: number,
    isVerifiedNow: boolean,
  ): Promise<string[]> {
    const rows = await manager.query<{ before: Columns; after: Columns }[]>(NAMES, [userId]);
    const names = new Set<unknown>();
    let isVerified = isVerifiedNow;
    for (const { before, after } of rows) {
      // A row holds the columns that it changed. A former name was verified.
      const wasVerified = before?.['username_verified'] ?? isVerified;
      isVerified = wasVerified === true;
      if (isVerified) names.add(before?.['username']);
      names.add(before?.['former_username']).add(after?.['former_username']);
    }
    return [...names].filter((name) => typeof name === 'string').filter((name) => name !== ERASED);
  }

  /** Finds records of the person in a range of rows. */
  async findRecords(manager: EntityManager, from: number, to: number): Promise<void> {
    const { userId, verifiedNames } = this;
    this.add(await manager.query<OwnRecord[]>(OWN_RECORDS, [userId, verifiedNames, from, to]));
  }

  stored(manager: EntityManager, from: number, to: number): Promise<StoredRecord[]> {
    const records = [...this.records.values(), this.account];
    return manager.query(STORED, [this.userId, ...pairsOf(records), from, to]);
  }

  /** Removes the IP addresses of the person's own acts. */
  forgetAddresses(manager: EntityManager, most: number): Promise<number> {
    return touched(manager, 'forget_addresses_in_audit($1, $2)', [this.userId, most]);
  }

  /** Removes all texts from the rows about records of the person. */
  forgetRecords(manager: EntityManager, records: readonly OwnRecord[]): Promise<number> {
    return touched(manager, 'forget_records_in_audit($1, $2, $3)', [this.userId, ...pairsOf(records)]);
  }

  /** The records in batches, but for the account itself, whose rows have the names that find the others. */
  *batches(): Generator<readonly OwnRecord[]> {
    const records = [...this.records.values()];
    for (let at = 0; at < records.length; at += RECORDS_AT_ONCE)
      yield records.slice(at, at + RECORDS_AT_ONCE);
  }

  /** The row of the user. */
  get account(): OwnRecord {
    return { tableName: 'users', recordId: this.userId };
  }

  private add(found: readonly OwnRecord[]): void {
    for (const record of found) this.records.set(`${record.tableName} ${record.recordId}`, record);
  }
}

/** Splits the ids up to `last` into ranges, one for each statement. */
export function* rangesOf(last: number): Generator<readonly [number, number]> {
  for (let from = 1; from <= last; from += AUDIT_RANGE) yield [from, Math.min(last, from + AUDIT_RANGE - 1)];
}

const pairsOf = (records: readonly OwnRecord[]): [readonly string[], readonly number[]] => [
  records.map(({ tableName }) => tableName),
  records.map(({ recordId }) => recordId),
];

async function touched(manager: EntityManager, call: string, values: readonly unknown[]): Promise<number> {
  const [row] = await manager.query<{ touched: number }[]>(`SELECT ${call} AS touched`, [...values]);
  return row?.touched ?? 0;
}
