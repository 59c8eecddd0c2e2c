import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OperatorError } from '@app/config/settings';
import { DELETED_WITH_USER, type PersonalData } from '@app/lifecycle/personal-data';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';
import { AuditTraces, type OwnRecord } from './audit-traces';
import { ErasureRemains } from './erasure-remains';
import { Erasures } from './erasures';
import { KnownPeople, type KnownPerson, rangesOf, type SharedWord } from './known-people';
import { type Run, type StillNaming, stillNaming } from './still-naming';

/** The changes in one table, real or in a trial. */
export interface TouchedTable {
  readonly table: string;
  /** `deleted`: with the user. `emptied`: the row remains without its texts. */
  readonly how: 'deleted' | 'emptied';
  readonly rows: number;
}

export interface ErasureReport {
  readonly userId: number;
  readonly organisationId: number;
  /** The day of the first run, in UTC. */
  readonly erasedOn: string;
  readonly dryRun: boolean;
  readonly touched: readonly TouchedTable[];
  /** Addresses and names that others also have. They remain. */
  readonly shared: readonly string[];
  /** Other people's records with these words. */
  readonly sharedWith: readonly SharedWord[];
  /** Records that still contain an address or a name of the person. An operator must check them. */
  readonly stillNaming: readonly StillNaming[];
}

export interface ErasureOptions {
  readonly isTrial: boolean;
  /** Called after each statement. */
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

/** A step before the last transaction. It changes rows of one table. */
interface Step {
  readonly table: string;
  readonly run: (manager: EntityManager) => Promise<number>;
}

/** The steps before the last transaction. */
interface Preparation {
  readonly steps: readonly Step[];
  /** The last row of each table at the time of planning. */
  readonly lastOf: ReadonlyMap<string, number>;
  readonly records: readonly OwnRecord[];
}

/**
 * Removes a person from the database: first from texts about other records, one range of rows per
 * transaction, and then, in a last transaction, the account and all records of the person. These records keep
 * their names until the last transaction, so that an interrupted erasure can read them again.
 */
@Injectable()
export class PersonErasure {
  /** In the order of export and erasure. */
  personalData: readonly PersonalData[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly people: KnownPeople,
    private readonly remains: ErasureRemains,
    private readonly erasures: Erasures,
  ) {}

  /** A trial does the same in one transaction and rolls it back. */
  async erase(ctx: RequestContext, userId: number, options: ErasureOptions): Promise<ErasureReport> {
    const known = await this.people.load(ctx, userId);
    const run: Run = (work) => this.transactions.run(ctx, work, { isLong: true });
    if (!options.isTrial) return this.eraseWithin(run, known, options);
    let report: ErasureReport | undefined;
    try {
      await run(async (manager) => {
        // Each step is a savepoint, because a search that takes too long must not end the trial.
        report = await this.eraseWithin((work) => manager.transaction(work), known, options);
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
    const { person, shared, words, searched } = known;
    const parts = this.personalData;
    const touched = new Touched();
    let erasedOn = '';
    const preparation = await prepare(run, known, parts);
    const steps = [
      ...preparation.steps.map(({ table, run: step }) => async (): Promise<void> => {
        touched.add([{ table, how: 'emptied', rows: await run(step) }]);
      }),
      async (): Promise<void> => {
        touched.add(
          await run(async (manager) => {
            // Includes the present names and addresses of the person in the tables.
            await this.remains.keep(manager, person.id, words);
            erasedOn = await this.erasures.record(manager, person.id);
            return endWithin(manager, known, parts, preparation);
          }),
        );
      },
    ];
    for (const [done, step] of steps.entries()) {
      if (signal.aborted) throw new ErasureInterrupted();
      await step();
      onProgress(done + 1, steps.length);
    }
    const sought = { ...searched, organisationId: person.organisationId, shared };
    // Ids of the rows that a trial writes are rolled back with them.
    const naming = await stillNaming(run, sought, isTrial ? known.lastRow : undefined);
    if (shared.length + naming.length === 0) await run((manager) => this.remains.end(manager, person.id));
    return {
      userId: person.id,
      organisationId: person.organisationId,
      erasedOn,
      dryRun: isTrial,
      touched: touched.tables,
      shared: [...new Set(shared.map(({ word }) => word))],
      sharedWith: shared,
      stillNaming: naming,
    };
  }
}

async function prepare(
  run: Run,
  { person, traces, lastRow }: KnownPerson,
  parts: readonly PersonalData[],
): Promise<Preparation> {
  const steps: Step[] = [];
  const lastOf = new Map<string, number>();
  for (const { table, texts } of parts) {
    if (texts === undefined) continue;
    const last = await run((manager) => texts.last(manager));
    lastOf.set(table, last);
    for (const [from, to] of rangesOf(last)) {
      steps.push({ table, run: (manager) => texts.forget(manager, person, from, to) });
    }
  }
  for (const [from, to] of rangesOf(lastRow)) {
    steps.push({ table: 'audit_log', run: (manager) => traces.forgetMentions(manager, person, from, to) });
  }
  const batches = [...traces.batches()];
  for (const batch of batches) {
    steps.push({ table: 'audit_log', run: (manager) => traces.forgetRecords(manager, batch) });
  }
  return { steps, lastOf, records: batches.flat() };
}

/** Users' rows are deleted with their user. Rows of others that name the person are cleared. */
const isDeletedToo = (part: PersonalData): boolean =>
  part.isOfUser === true && typeof part.erase === 'function';

async function endWithin(
  manager: EntityManager,
  { person, traces, lastRow }: KnownPerson,
  parts: readonly PersonalData[],
  { lastOf, records }: Preparation,
): Promise<TouchedTable[]> {
  const touched: TouchedTable[] = [];
  const written = await AuditTraces.last(manager);
  // The report excludes audit log rows that the erasure itself writes.
  const rows = await traces.forgetRecords(manager, traces.except(records));
  touched.push({ table: 'audit_log', how: 'emptied', rows });
  for (const part of parts) {
    if (part.erase !== DELETED_WITH_USER && !isDeletedToo(part)) continue;
    touched.push({ table: part.table, how: 'deleted', rows: (await part.stored(manager, person)).length });
  }
  for (const { table, erase, texts } of parts) {
    if (typeof erase === 'function') {
      touched.push({ table, how: 'emptied', rows: await erase(manager, person) });
    }
    if (texts === undefined) continue;
    // Rows that were written after the preparation.
    const since = (lastOf.get(table) ?? 0) + 1;
    const last = await texts.last(manager);
    touched.push({ table, how: 'emptied', rows: await texts.forget(manager, person, since, last) });
  }
  const last = await AuditTraces.last(manager);
  const own = await traces.findRecords(manager, lastRow + 1, last);
  const invitations = await traces.findInvitations(manager, person.addresses, lastRow + 1, last);
  await traces.forgetMentions(manager, person, lastRow + 1, written);
  // This transaction changed only texts with an address of the person, so names in them
  // belong to the person too.
  await traces.forgetMentions(manager, { ...person, everywhere: person.named }, written + 1, last);
  await traces.forgetRecords(manager, [...traces.except(records), ...own, ...invitations]);
  return touched;
}

/** Counts changed rows by table. */
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
