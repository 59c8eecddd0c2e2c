import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '@app/platform/context/request-context';
import { Transactions } from '@app/platform/database/transactions';
import { OperatorError } from '@app/platform/process/settings';
import { DELETED_WITH_USER, type PersonalData } from '@app/lifecycle/personal-data';
import { AuditTraces, type OwnRecord } from './audit-traces';
import { KnownPeople, type KnownPerson, rangesOf } from './known-people';
import { stillNaming, type StillNaming } from './still-naming';

/** The changes in one table, real or in a trial. */
export interface TouchedTable {
  readonly table: string;
  /** `deleted`: with the user. `emptied`: the row stays without its texts. */
  readonly how: 'deleted' | 'emptied';
  readonly rows: number;
}

export interface ErasureReport {
  readonly userId: number;
  readonly organisationId: number;
  readonly dryRun: boolean;
  readonly touched: readonly TouchedTable[];
  /** Addresses and names that somebody else has too: they stay. */
  readonly shared: readonly string[];
  /** Other tables with an address of the person: an operator must check them. */
  readonly stillNaming: readonly StillNaming[];
}

export interface Erasing {
  readonly isTrial: boolean;
  /** Called after each statement. */
  readonly onProgress: (done: number, all: number) => void;
  readonly signal: AbortSignal;
}

/** Finished steps stay; the same command continues. */
export class ErasureInterrupted extends OperatorError {
  constructor() {
    super('interrupted: run the same command again to go on');
  }
}

/** Rolls a trial back. */
class TrialEnded extends Error {}

/** A step before the last transaction; it changes rows of one table. */
interface Step {
  readonly table: string;
  readonly run: (manager: EntityManager) => Promise<number>;
}

/** The steps before the last transaction. */
interface Preparation {
  readonly steps: readonly Step[];
  /** The last row of each table when the steps were planned. */
  readonly lastOf: ReadonlyMap<string, number>;
  readonly records: readonly OwnRecord[];
}

/**
 * Removes a person from the database: first from texts about other records, one range of rows per transaction, then in
 * a last transaction the account and all records of the person. Names stay in those records until the last transaction,
 * so that an interrupted erasure can read them again.
 */
@Injectable()
export class PersonErasure {
  /** In the order of export and erasure. */
  personalData: readonly PersonalData[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly people: KnownPeople,
  ) {}

  async erase(
    ctx: RequestContext,
    userId: number,
    { isTrial, onProgress, signal }: Erasing,
  ): Promise<ErasureReport> {
    const known = await this.people.know(ctx, userId);
    const parts = this.personalData;
    const touched = new Touched();
    const preparation = await this.prepare(ctx, known, parts, isTrial);
    const steps = [
      ...preparation.steps.map((step) => () => this.take(ctx, step, touched)),
      () => this.end(ctx, known, parts, preparation, touched, isTrial),
    ];
    for (const [done, step] of steps.entries()) {
      if (signal.aborted) throw new ErasureInterrupted();
      await step();
      onProgress(done + 1, steps.length);
    }
    return {
      userId,
      organisationId: known.person.organisationId,
      dryRun: isTrial,
      touched: touched.tables,
      shared: known.shared,
      stillNaming: isTrial
        ? []
        : await stillNaming(ctx, this.transactions, known.person, new Set(preparation.lastOf.keys())),
    };
  }

  /** A trial counts the same rows. */
  private async prepare(
    ctx: RequestContext,
    { person, traces, lastRow }: KnownPerson,
    parts: readonly PersonalData[],
    isTrial: boolean,
  ): Promise<Preparation> {
    const steps: Step[] = [];
    const lastOf = new Map([['audit_log', lastRow]]);
    for (const { table, texts } of parts) {
      if (texts === undefined) continue;
      const last = await this.run(ctx, (manager) => texts.last(manager));
      lastOf.set(table, last);
      const act = isTrial ? 'count' : 'forget';
      for (const [from, to] of rangesOf(last)) {
        steps.push({ table, run: (manager) => texts[act](manager, person, from, to) });
      }
    }
    const act = isTrial ? 'count' : 'forgetMentions';
    for (const [from, to] of rangesOf(lastRow)) {
      steps.push({ table: 'audit_log', run: (manager) => traces[act](manager, person, from, to) });
    }
    const batches = isTrial ? [] : [...traces.batches()];
    for (const batch of batches) {
      steps.push({ table: 'audit_log', run: (manager) => traces.forgetRecords(manager, batch) });
    }
    return { steps, lastOf, records: batches.flat() };
  }

  private async take(ctx: RequestContext, { table, run }: Step, touched: Touched): Promise<void> {
    touched.add([{ table, how: 'emptied', rows: await this.run(ctx, run) }]);
  }

  /** A trial runs it too and rolls back: it meets the same errors, the one for the last admin among them. */
  private async end(
    ctx: RequestContext,
    known: KnownPerson,
    parts: readonly PersonalData[],
    preparation: Preparation,
    touched: Touched,
    isTrial: boolean,
  ): Promise<void> {
    let found: readonly TouchedTable[] = [];
    try {
      await this.run(ctx, async (manager) => {
        found = await endWithin(manager, known, parts, preparation);
        if (isTrial) throw new TrialEnded();
      });
    } catch (error) {
      if (!(error instanceof TrialEnded)) throw error;
      // `prepare` has counted these tables already.
      found = found.filter(({ table }) => !preparation.lastOf.has(table));
    }
    touched.add(found);
  }

  private run<Result>(
    ctx: RequestContext,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.run(ctx, work, { isLong: true });
  }
}

async function endWithin(
  manager: EntityManager,
  { person, traces, lastRow }: KnownPerson,
  parts: readonly PersonalData[],
  { lastOf, records }: Preparation,
): Promise<TouchedTable[]> {
  const touched: TouchedTable[] = [];
  for (const part of parts) {
    if (part.erase !== DELETED_WITH_USER) continue;
    touched.push({ table: part.table, how: 'deleted', rows: (await part.stored(manager, person)).length });
  }
  for (const { table, erase, texts } of parts) {
    if (typeof erase === 'function') {
      touched.push({ table, how: 'emptied', rows: await erase(manager, person) });
    }
    if (texts === undefined) continue;
    // Rows written since the preparation.
    const [since, last] = [(lastOf.get(table) ?? 0) + 1, await texts.last(manager)];
    touched.push({ table, how: 'emptied', rows: await texts.forget(manager, person, since, last) });
  }
  // Includes the rows of this transaction.
  const last = await AuditTraces.last(manager);
  const own = await traces.findRecords(manager, lastRow + 1, last);
  const invitations = await traces.findInvitations(manager, person.addresses, lastRow + 1, last);
  const mentions = await traces.forgetMentions(manager, person, lastRow + 1, last);
  const rest = [...traces.except(records), ...own, ...invitations];
  const rows = mentions + (await traces.forgetRecords(manager, rest));
  touched.push({ table: 'audit_log', how: 'emptied', rows });
  return touched;
}

/** Changed rows by table. */
class Touched {
  private readonly counts = new Map<string, TouchedTable>();

  get tables(): TouchedTable[] {
    return [...this.counts.values()];
  }

  add(found: readonly TouchedTable[]): void {
    for (const { table, how, rows } of found) {
      const before = this.counts.get(table)?.rows ?? 0;
      if (rows > 0) this.counts.set(table, { table, how, rows: rows + before });
    }
  }
}
