import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { Transactions } from '@app/core/database/transactions';
import { orderedProviders } from '@app/core/discovery/ordered-providers';
import { DELETED_WITH_USER, PersonalData } from '@app/core/privacy/personal-data';
import { AuditTraces, type OwnRecord } from './audit-traces';
import { KnownPeople, rangesOf, type KnownPerson } from './known-people';
import { stillNaming, type StillNaming } from './still-naming';

/** What was done in one table, or would be. */
export interface TouchedTable {
  readonly table: string;
  /** Deleted with the user: the others keep their row and lose their texts. */
  readonly how: 'deleted' | 'emptied';
  readonly rows: number;
}

export interface ErasureReport {
  readonly userId: number;
  readonly organisationId: number;
  readonly dryRun: boolean;
  readonly touched: readonly TouchedTable[];
  /** Addresses and names that somebody else has too: they stay where they stand. */
  readonly shared: readonly string[];
  /** Tables that are not the person's and hold an address of the person: somebody must look. */
  readonly stillNaming: readonly StillNaming[];
}

export interface Erasing {
  readonly isTrial: boolean;
  /** Told after each statement. */
  readonly onProgress: (done: number, all: number) => void;
  readonly signal: AbortSignal;
}

/** Interrupted: what was done stays done, and the same again goes on. */
export class ErasureInterrupted extends Error {
  readonly explained = true;

  constructor() {
    super('interrupted: run the same command again to go on');
  }
}

/** Ends a trial, with all that it changed. */
class TrialEnded extends Error {}

/** A step of the way to the last transaction: it touches rows of one table. */
interface Step {
  readonly table: string;
  readonly run: (manager: EntityManager) => Promise<number>;
}

/** What was gone through before the last transaction. */
interface GoneThrough {
  readonly steps: readonly Step[];
  /** The last row of each table, at that time. */
  readonly lastOf: ReadonlyMap<string, number>;
  readonly records: readonly OwnRecord[];
}

/**
 * Takes a person out of the database. First out of texts about other things, which may be many: a range of rows a
 * transaction. Then, in one last transaction, the account itself is deleted and all that is known as the person's
 * is emptied. What the person was called is read there, so that after an interruption it is still known.
 */
@Injectable()
export class PersonErasure {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly transactions: Transactions,
    private readonly people: KnownPeople,
  ) {}

  async erase(userId: number, { isTrial, onProgress, signal }: Erasing): Promise<ErasureReport> {
    const known = await this.people.know(userId);
    const parts = orderedProviders(this.discovery, PersonalData);
    const touched = new Touched();
    const way = await this.way(known, parts, isTrial);
    const steps = [
      ...way.steps.map((step) => () => this.take(step, touched)),
      () => this.end(known, parts, way, touched, isTrial),
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
        : await stillNaming(this.transactions, known.person, new Set(way.lastOf.keys())),
    };
  }

  /** In a trial the same rows are counted. */
  private async way(
    { person, traces, lastRow }: KnownPerson,
    parts: readonly PersonalData[],
    isTrial: boolean,
  ): Promise<GoneThrough> {
    const steps: Step[] = [];
    const lastOf = new Map([['audit_log', lastRow]]);
    for (const { table, texts } of parts) {
      if (texts === undefined) continue;
      const last = await this.run((manager) => texts.last(manager));
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

  private async take({ table, run }: Step, touched: Touched): Promise<void> {
    touched.add([{ table, how: 'emptied', rows: await this.run(run) }]);
  }

  /** A trial does it too, and takes it back: it meets what the real one would, the last admin among it. */
  private async end(
    known: KnownPerson,
    parts: readonly PersonalData[],
    way: GoneThrough,
    touched: Touched,
    isTrial: boolean,
  ): Promise<void> {
    let found: readonly TouchedTable[] = [];
    try {
      await this.run(async (manager) => {
        found = await endWithin(manager, known, parts, way);
        if (isTrial) throw new TrialEnded();
      });
    } catch (error) {
      if (!(error instanceof TrialEnded)) throw error;
      // Counted on the way already, with all the others.
      found = found.filter(({ table }) => !way.lastOf.has(table));
    }
    touched.add(found);
  }

  private run<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.transactions.run(work, { isLong: true });
  }
}

async function endWithin(
  manager: EntityManager,
  { person, traces, lastRow }: KnownPerson,
  parts: readonly PersonalData[],
  { lastOf, records }: GoneThrough,
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
    // Written since they were gone through.
    const [since, last] = [(lastOf.get(table) ?? 0) + 1, await texts.last(manager)];
    touched.push({ table, how: 'emptied', rows: await texts.forget(manager, person, since, last) });
  }
  // The rows that this transaction has written are among them.
  const last = await AuditTraces.last(manager);
  const own = await traces.findRecords(manager, lastRow + 1, last);
  const invitations = await traces.findInvitations(manager, person.addresses, lastRow + 1, last);
  const mentions = await traces.forgetMentions(manager, person, lastRow + 1, last);
  const rest = [...traces.except(records), ...own, ...invitations];
  const rows = mentions + (await traces.forgetRecords(manager, rest));
  touched.push({ table: 'audit_log', how: 'emptied', rows });
  return touched;
}

/** Counts of tables, each once. */
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
