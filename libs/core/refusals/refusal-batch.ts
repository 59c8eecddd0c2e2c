import { networkOf } from '../network/client-address';
import type { Refusal } from './refusal';

/** Rows of refusals that a process writes into the audit log in a minute; what else is refused is counted in a metric. */
const MAX_ROWS = 200;

/** Those of one network; what else it is refused shares a row for each reason. */
const MAX_ROWS_OF_NETWORK = 20;

/** Longest user name that anybody has. */
const MAX_NAME_LENGTH = 254;

/** Refusals of one minute that have reason, network and whom they are about in common. */
export interface CountedRefusal {
  readonly reason: string;
  readonly network: string;
  readonly user_id: number | null;
  readonly kind: string | null;
  /** For the database to look up; never stored. */
  readonly name: string | null;
  readonly name_digest: string | null;
  /** Hexadecimal; for the database to look up, never stored. */
  readonly credential_digest: string | null;
  readonly since: Date;
  until: Date;
  count: number;
}

/** Counts refusals until they are written. However many come, it holds so many rows. */
export class RefusalBatch {
  private readonly rows = new Map<string, CountedRefusal>();
  private readonly rowsOfNetwork = new Map<string, number>();

  get size(): number {
    return this.rows.size;
  }

  get counted(): CountedRefusal[] {
    return [...this.rows.values()];
  }

  /** False where there is no place for it. */
  add(refusal: Refusal, now: Date): boolean {
    const network = networkOf(refusal.address);
    const isCrowded = (this.rowsOfNetwork.get(network) ?? 0) >= MAX_ROWS_OF_NETWORK;
    const whole = rowOf(refusal, network, now);
    if (this.count(whole, now)) return true;
    const row = isCrowded ? rowOf({ reason: refusal.reason, address: refusal.address }, network, now) : whole;
    if (isCrowded && this.count(row, now)) return true;
    if (this.rows.size >= MAX_ROWS) return false;
    this.rows.set(keyOf(row), row);
    this.rowsOfNetwork.set(network, (this.rowsOfNetwork.get(network) ?? 0) + 1);
    return true;
  }

  private count(row: CountedRefusal, now: Date): boolean {
    const known = this.rows.get(keyOf(row));
    if (known === undefined) return false;
    known.count += 1;
    known.until = now;
    return true;
  }
}

const keyOf = ({ reason, network, user_id, kind, name_digest, credential_digest }: CountedRefusal): string =>
  JSON.stringify([reason, network, user_id, kind, name_digest, credential_digest]);

function rowOf(refusal: Refusal, network: string, now: Date): CountedRefusal {
  const { reason, userId, credentialKind, name, credentialDigest } = refusal;
  const isStranger = userId === undefined;
  const text = name?.text ?? '';
  // What PostgreSQL cannot hold is nobody's name.
  const isName = text.length <= MAX_NAME_LENGTH && !text.includes('\0') && text.isWellFormed();
  return {
    reason,
    network,
    user_id: userId ?? null,
    kind: credentialKind ?? null,
    name: isStranger && name !== undefined && isName ? text : null,
    name_digest: (isStranger ? name?.digest : undefined) ?? null,
    credential_digest: credentialDigest?.toString('hex') ?? null,
    since: now,
    until: now,
    count: 1,
  };
}
