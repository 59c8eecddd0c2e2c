import type { Settings } from '@app/core/settings/settings';
import { KnownPeople } from '@app/privacy/known-people';
import { PersonErasure, type ErasureReport } from '@app/privacy/person-erasure';
import type { Database } from '../database';
import { CommandFailed, EXIT, type Outcome } from '../outcome';
import { readLine } from '../read-line';
import { reasonOf } from '../reason';
import { withServiceModules } from '../service-modules';
import type { Terminal } from '../terminal';
import { candidateOf, checkNamed, stateOf, type NamedPerson } from './person-named';

export interface PersonErasing {
  readonly settings: Settings;
  readonly database: Database;
  readonly terminal: Terminal;
  readonly who: NamedPerson;
  readonly isTrial: boolean;
  readonly isConfirmed: boolean;
  readonly signal: AbortSignal;
}

/** Takes a person out of the database, once the operator has said so twice. */
export async function erasePerson(erasing: PersonErasing): Promise<Outcome> {
  const { settings, database, terminal, who, isTrial, signal } = erasing;
  checkNamed(who);
  return withServiceModules(settings, database, async (modules) => {
    const candidate = await candidateOf(modules.get(KnownPeople), who);
    const { id, username } = candidate;
    if (!isTrial && !erasing.isConfirmed) {
      terminal.say(
        `User ${id}, ${JSON.stringify(username)} (${stateOf(candidate)}), is about to be erased for good.`,
      );
      terminal.say(`Type ${id} to erase it, anything else to leave it:`);
      if ((await readLine(process.stdin, `${id} or anything else`)).trim() !== String(id))
        throw new CommandFailed('nothing was erased');
    }
    try {
      const report = await modules.get(PersonErasure).erase(id, {
        isTrial,
        signal,
        onProgress: (done, all) => terminal.progress(done / all, `${done} of ${all} steps`),
      });
      return { exitCode: EXIT.ok, report, lines: linesOf(report) };
    } catch (error) {
      const reason = reasonOf(error);
      throw reason === undefined ? error : new CommandFailed(`user ${id} was not erased: ${reason}`);
    } finally {
      terminal.endProgress();
    }
  });
}

function linesOf({ userId, dryRun, touched, shared, stillNaming }: ErasureReport): string[] {
  const [deleted, emptied] = dryRun ? ['to delete', 'to empty'] : ['deleted', 'emptied'];
  return [
    `User ${userId} ${dryRun ? 'would be erased' : 'is erased'}:`,
    ...touched.map(({ table, how, rows }) => `  ${table}: ${rows} ${how === 'deleted' ? deleted : emptied}`),
    ...(touched.length === 0 ? ['  nothing was left to do'] : []),
    ...shared.map((word) => `Somebody else has ${JSON.stringify(word)} too: it stays where it stands`),
    ...stillNaming.map(({ table, rows }) =>
      rows === null
        ? `${table} is too large to be searched at once: look there yourself`
        : `An address still stands in ${table} (${rows}): see docs/privacy.md`,
    ),
  ];
}
