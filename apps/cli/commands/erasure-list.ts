import { OperatorError } from '@app/config/operator-errors';
import { Erasures, type ListedErasure } from '@app/records/privacy/erasures';
import { ErasureInterrupted, type ErasureReport, PersonErasure } from '@app/records/privacy/person-erasure';
import type { CommandRun } from '../database';
import { MAX_IMPORTED_ID, moveSequence } from '../imports/identifiers';
import { type Outcome, WrongUse } from '../outcome';
import { reasonOf } from '../refusal';
import { SourceFile } from '../rows/source-file';
import { interruption, writeNewFile } from '../terminal';
import { NOT_SEARCHED } from './erasure-report';

const COLUMNS = ['userId', 'erasedAt'] as const;

/** Writes ids and times of all erasures as csv. */
export async function exportErasures({ dataSource }: CommandRun, file: string): Promise<Outcome> {
  const erasures = await new Erasures().all(dataSource.manager);
  const rows = erasures.map(({ userId, erasedAt }) => `${userId},${erasedAt}\n`);
  await writeNewFile(file, [`${COLUMNS.join(',')}\n`, ...rows]);
  const report = { file, erasures: erasures.length };
  return { report, lines: [`Wrote ${erasures.length} erasures to ${file}`] };
}

/** Reads such a file. Throws {@link WrongUse} for a malformed line. */
export async function readErasures(path: string): Promise<ListedErasure[]> {
  const erasures = new Map<number, ListedErasure>();
  const file = await SourceFile.open(path, 'csv');
  const required = COLUMNS.map((name) => [name]);
  for await (const record of file.records({ known: COLUMNS, required, ignoreUnknown: false })) {
    const erasure = 'error' in record ? undefined : erasureOf(record.values);
    if (erasure === undefined || erasures.has(erasure.userId))
      throw new WrongUse(
        `${path}, line ${record.line}: it is not the id of a user with the time of the erasure`,
      );
    erasures.set(erasure.userId, erasure);
  }
  return [...erasures.values()];
}

function erasureOf({ userId, erasedAt }: Readonly<Record<string, unknown>>): ListedErasure | undefined {
  const id = /^\d{1,10}$/.test(String(userId)) ? Number(userId) : 0;
  const written = String(erasedAt);
  const time = new Date(written);
  const isTime = !Number.isNaN(time.getTime()) && time.toISOString() === written;
  return isTime && id > 0 && id <= MAX_IMPORTED_ID ? { userId: id, erasedAt: written } : undefined;
}

interface NotErased {
  readonly userId: number;
  readonly reason: string;
}

/** Result of applying a list of erasures to a restored database. */
interface Replay {
  readonly report: {
    readonly erasedAgain: readonly ErasureReport[];
    readonly erasedAlready: readonly number[];
    readonly unknown: readonly number[];
    readonly notErased: readonly NotErased[];
  };
  readonly lines: readonly string[];
}

/**
 * Erases again the users that the restored database has. A user that cannot be erased
 * does not stop the others.
 */
export async function eraseAgain(run: CommandRun, listed: readonly ListedErasure[]): Promise<Replay> {
  const { ctx, transactions, terminal } = run;
  const signal = interruption();
  const { withServiceModules } = await import('../service-modules.js');
  return withServiceModules(run, async (modules) => {
    const list = modules.get(Erasures);
    const erasure = modules.get(PersonErasure);
    const states = await transactions.run(ctx, async (manager) => {
      await list.adopt(manager, listed);
      // A new user must not get the id of an erased one.
      await moveSequence(manager, 'users', Math.max(0, ...listed.map(({ userId }) => userId)));
      return list.statesOf(manager, listed);
    });
    const idsOf = (wanted: string): number[] =>
      states.filter(({ state }) => state === wanted).map(({ userId }) => userId);
    const erasedAgain: ErasureReport[] = [];
    const notErased = idsOf('newer').map((userId): NotErased => {
      return { userId, reason: 'the user is newer than the erasure, and may be another person' };
    });
    const here = idsOf('here');
    for (const [position, userId] of here.entries()) {
      terminal.progress(position / here.length, `${position} of ${here.length} erasures`);
      try {
        const erasing = { isTrial: false, onProgress: () => undefined, signal };
        erasedAgain.push(await erasure.erase(ctx, userId, erasing));
      } catch (error) {
        notErased.push({ userId, reason: refusalOf(error) });
      }
    }
    terminal.endProgress();
    for (const { userId, reason } of notErased) terminal.say(`user ${userId} was not erased: ${reason}`);
    const report = { erasedAgain, erasedAlready: idsOf('erased'), unknown: idsOf('unknown'), notErased };
    return { report, lines: linesOf(report) };
  });
}

/** Any other error ends the command, which can be run again. */
function refusalOf(error: unknown): string {
  if (error instanceof OperatorError && !(error instanceof ErasureInterrupted)) return error.message;
  const reason = reasonOf(error);
  if (reason === undefined) throw error;
  return reason;
}

function linesOf({ erasedAgain, erasedAlready, unknown, notErased }: Replay['report']): string[] {
  const named = (what: string, ids: readonly number[]): string[] =>
    ids.length === 0 ? [] : [`${what}: ${ids.join(', ')}`];
  return [
    `Erased ${erasedAgain.length} users again; ${erasedAlready.length} were erased in the backup`,
    ...named('Users of the list that this database has never had', unknown),
    ...named(
      'NOT erased',
      notErased.map(({ userId }) => userId),
    ),
    ...(erasedAgain.length === 0 ? [] : [NOT_SEARCHED]),
  ];
}
