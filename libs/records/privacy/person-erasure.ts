import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OperatorError } from '@app/config/operator-errors';
import { Deletions } from '@app/lifecycle/deletions';
import type { PersonalData } from '@app/lifecycle/personal-data';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';
import { AuditTraces } from './audit-traces';
import { Erasures } from './erasures';
import { KnownPeople, type KnownPerson } from './known-people';

/** The changes in one table, real or in a trial. */
export interface TouchedTable {
  readonly table: string;
  /** Rows that go with the user, or stay without their texts. */
  readonly rows: number;
}

export interface ErasureReport {
  readonly userId: number;
  readonly organisationId: number;
  readonly dryRun: boolean;
  readonly touched: readonly TouchedTable[];
}

export interface ErasureOptions {
  readonly isTrial: boolean;
  /** Called after each step. */
  readonly onProgress: (done: number, all: number) => void;
  readonly signal: AbortSignal;
}

/** Completed steps are kept; the same command continues. */
export class ErasureInterrupted extends OperatorError {
  constructor() {
    super('interrupted: run the same command again to continue');
  }
}

/** Rolls back a trial. */
class TrialEnded extends Error {}

/** Runs the work of one step in a transaction. */
type Run = <Result>(work: (manager: EntityManager) => Promise<Result>) => Promise<Result>;

/** Rows of the audit log whose addresses one step removes. */
const ADDRESSES_AT_ONCE = 5000;

/**
 * Removes a person from the database: first from the audit log, in several transactions, and in a last one
 * the account and what the rules of all tables declare as the person's. The account keeps its names until
 * then, so that an interrupted erasure finds the rest again, and an erased account has nothing left
 * elsewhere.
 */
@Injectable()
export class PersonErasure {
  /** In the order of export and erasure. */
  personalData: readonly PersonalData[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly people: KnownPeople,
    private readonly erasures: Erasures,
    private readonly deletions: Deletions,
  ) {}

  /** A trial does the same in one transaction and rolls it back. */
  async erase(ctx: RequestContext, userId: number, options: ErasureOptions): Promise<ErasureReport> {
    const known = await this.people.load(ctx, userId);
    const run: Run = (work) => this.transactions.run(ctx, work, { isLong: true });
    if (!options.isTrial) return this.eraseWithin(run, known, options);
    let report: ErasureReport | undefined;
    try {
      await run(async (manager) => {
        report = await this.eraseWithin((work) => work(manager), known, options);
        throw new TrialEnded();
      });
    } catch (error) {
      if (!(error instanceof TrialEnded)) throw error;
    }
    return report as unknown as ErasureReport;
  }

  private async eraseWithin(
    run: Run,
    known: KnownPerson,
    { isTrial, onProgress, signal }: ErasureOptions,
  ): Promise<ErasureReport> {
    const { person, traces } = known;
    const touched = new Touched();
    const batches = [...traces.batches()];
    const all = batches.length + 2;
    let done = 0;
    const step = async (work: (manager: EntityManager) => Promise<readonly TouchedTable[]>) => {
      if (signal.aborted) throw new ErasureInterrupted();
      touched.add(await run(work));
      onProgress(++done, all);
    };
    for (const batch of batches)
      await step(async (manager) => [inAudit(await traces.forgetRecords(manager, batch))]);
    await step(async (manager) => [inAudit(await addressesForgotten(manager, traces))]);
    await step(async (manager) => {
      await this.erasures.record(manager, person.id);
      return endWithin(manager, known, this.personalData, this.deletions);
    });
    return {
      userId: person.id,
      organisationId: person.organisationId,
      dryRun: isTrial,
      touched: touched.tables,
    };
  }
}

const inAudit = (rows: number): TouchedTable => ({ table: 'audit_log', rows });

async function addressesForgotten(manager: EntityManager, traces: AuditTraces): Promise<number> {
  for (let all = 0; ;) {
    const rows = await traces.forgetAddresses(manager, ADDRESSES_AT_ONCE);
    all += rows;
    if (rows < ADDRESSES_AT_ONCE) return all;
  }
}

async function endWithin(
  manager: EntityManager,
  { person, traces, lastRow }: KnownPerson,
  parts: readonly PersonalData[],
  deletions: Deletions,
): Promise<TouchedTable[]> {
  const account = inAudit(await traces.forgetRecords(manager, [traces.account]));
  const recordsOf = async ({ stored }: PersonalData): Promise<string[]> =>
    (await stored(manager, person)).map((record) => JSON.stringify(record));
  const before = new Map<PersonalData, readonly string[]>();
  for (const part of parts) before.set(part, await recordsOf(part));
  const erased = new Map<PersonalData, number>();
  for (const part of parts)
    if (typeof part.erase === 'function') erased.set(part, await part.erase(manager, person, deletions));
  const touched = [account];
  for (const part of parts) {
    // The deletion of the account comes first, and clears or deletes rows of other tables.
    const after = new Set(await recordsOf(part));
    const changed = before.get(part)?.filter((record) => !after.has(record)).length ?? 0;
    touched.push({ table: part.table, rows: Math.max(changed, erased.get(part) ?? 0) });
  }
  // What this transaction and others have written to the log meanwhile, which the report does not count.
  await traces.findRecords(manager, lastRow + 1, await AuditTraces.last(manager));
  for (const batch of traces.batches()) await traces.forgetRecords(manager, batch);
  await traces.forgetRecords(manager, [traces.account]);
  return touched;
}

/** Counts changed rows by table. */
class Touched {
  private readonly counts = new Map<string, TouchedTable>();

  get tables(): TouchedTable[] {
    return [...this.counts.values()];
  }

  add(found: readonly TouchedTable[]): void {
    for (const { table, rows } of found) {
      const before = this.counts.get(table)?.rows ?? 0;
      if (rows > 0) this.counts.set(table, { table, rows: rows + before });
    }
  }
}
