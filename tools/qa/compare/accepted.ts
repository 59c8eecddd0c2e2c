import { readFileSync } from 'node:fs';
import { printableJson } from '../terminal';
import type { Kind } from './differences';
import { type Difference, keyOf } from './tallies';

/** A difference that people saw and agreed on. */
export interface AcceptedDifference {
  readonly operation: string;
  readonly kind: Kind;
  readonly at: string;
  /** Of a status alone: each pair of statuses is a difference of its own. */
  readonly old?: unknown;
  readonly new?: unknown;
  /** Empty until a person has written one: the difference is not accepted before. */
  readonly reason: string;
}

/** The differences of `--accept`. */
export class Accepted {
  private readonly byKey: ReadonlyMap<string, AcceptedDifference>;

  constructor(private readonly entries: readonly AcceptedDifference[] = []) {
    this.byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  }

  /** Reads a file of accepted differences; a text says what is wrong with it. */
  static read(path: string): Accepted | string {
    let value: unknown;
    try {
      value = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === undefined ? `${path} is no JSON.` : `${path} cannot be read: ${code}.`;
    }
    if (!Array.isArray(value)) return `${path} needs a list of differences.`;
    const wrong = value.findIndex((entry) => !isEntry(entry));
    if (wrong >= 0)
      return `${path}: difference ${wrong + 1} needs "operation", "kind", "at" and "reason", each a text.`;
    return new Accepted(value as AcceptedDifference[]);
  }

  /** Why a difference is accepted; nothing where it is not. */
  reasonFor(difference: Difference): string | undefined {
    const reason = this.byKey.get(keyOf(difference))?.reason.trim();
    return reason === '' ? undefined : reason;
  }

  /** Accepted differences of what was sent that no longer occur. */
  gone(differences: readonly Difference[], sent: ReadonlySet<string>): AcceptedDifference[] {
    const found = new Set(differences.map(keyOf));
    return this.entries.filter((entry) => sent.has(entry.operation) && !found.has(keyOf(entry)));
  }

  /** Those without a reason. */
  get unexplained(): number {
    return this.entries.filter(({ reason }) => reason.trim() === '').length;
  }

  /** A file for the next run: what this one has, and behind it what is new, with an empty reason. */
  fileWith(differences: readonly Difference[]): string {
    const added = differences
      .filter((difference) => !this.byKey.has(keyOf(difference)))
      .map(({ operation, kind, at, old, new: fresh }) => ({
        operation,
        kind,
        at,
        ...(kind === 'status' && { old, new: fresh }),
        reason: '',
      }));
    return `${printableJson([...this.entries, ...added], 2)}\n`;
  }
}

function isEntry(entry: unknown): boolean {
  if (entry === null || typeof entry !== 'object') return false;
  const fields = entry as Readonly<Record<string, unknown>>;
  return ['operation', 'kind', 'at', 'reason'].every((name) => typeof fields[name] === 'string');
}
