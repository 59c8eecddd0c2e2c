import type { RequestContext } from '@app/platform/context/request-context';
import { type Candidate, KnownPeople } from '@app/privacy/known-people';
import { CommandFailed, EXIT, type Outcome, reasonOf, WrongUse } from '../outcome';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Settings } from '@app/platform/process/settings';
import { PersonExport } from '@app/privacy/person-export';
import { type Database, withDatabase, withServiceModules } from '../database';
import { interruption, readLine, type Terminal, writeNewFile } from '../terminal';
import { type ErasureReport, PersonErasure } from '@app/privacy/person-erasure';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions, identifier } from '../command';

/** The person that a command is about, by name or by id. */
interface NamedPerson {
  readonly username: string | undefined;
  readonly id: number | undefined;
}

/** Runs before any connection is made. */
function checkNamed({ username, id }: NamedPerson): void {
  if ((username === undefined) === (id === undefined))
    throw new WrongUse('name the user or give --id, not both');
}

/** Several users may have had the same name one after the other; they need not be one person. */
async function candidateOf(
  ctx: RequestContext,
  people: KnownPeople,
  { username, id }: NamedPerson,
): Promise<Candidate> {
  const found = await people.candidates(ctx, id === undefined ? { username: username ?? '' } : { id });
  const [only, ...others] = found;
  const wanted = id === undefined ? JSON.stringify(username) : id;
  if (only === undefined) throw new CommandFailed(`there is no user ${wanted}, nor a deleted one`);
  if (others.length === 0) return only;
  const list = found.map((user) => `--id ${user.id} (${stateOf(user)})`).join(', ');
  throw new CommandFailed(`several users have had the name ${wanted}: choose one by ${list}`);
}

const stateOf = ({ organisationId, deletedAt }: Candidate): string =>
  `organisation ${organisationId}, ${
    deletedAt === null ? 'in use' : `deleted ${deletedAt.toISOString().slice(0, 10)}`
  }`;

/** Streams all that is stored about a person: the audit log may be long. */
async function exportPerson(
  settings: Settings,
  terminal: Terminal,
  who: NamedPerson,
  file: string | undefined,
): Promise<void> {
  checkNamed(who);
  await withDatabase('person export', settings, terminal, (database) =>
    withServiceModules(settings, database, async (modules) => {
      const candidate = await candidateOf(database.ctx, modules.get(KnownPeople), who);
      const document = documentOf(database.ctx, candidate, modules.get(PersonExport));
      if (file === undefined) await pipeline(Readable.from(document), process.stdout, { end: false });
      else {
        await writeNewFile(file, document);
        terminal.say(`Wrote ${file}`);
      }
    }),
  );
}

async function* documentOf(
  ctx: RequestContext,
  { id }: Candidate,
  source: PersonExport,
): AsyncGenerator<string> {
  const about = 'All that the account service stores about the person, a part for each kind. Times are UTC.';
  const head = { person: id, writtenAt: new Date(), about };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "parts": {`;
  let isFirst = true;
  for await (const { name, about, records } of source.parts(ctx, id)) {
    yield `${isFirst ? '' : ','}\n    ${JSON.stringify(name)}: {\n      "about": ${JSON.stringify(about)},\n      "records": [`;
    isFirst = false;
    let separator = '\n        ';
    for await (const record of records) {
      yield separator + JSON.stringify(record);
      separator = ',\n        ';
    }
    yield separator.startsWith(',') ? '\n      ]\n    }' : ']\n    }';
  }
  yield '\n  }\n}\n';
}

interface PersonErasing {
  readonly settings: Settings;
  readonly database: Database;
  readonly terminal: Terminal;
  readonly who: NamedPerson;
  readonly isTrial: boolean;
  readonly isConfirmed: boolean;
  readonly signal: AbortSignal;
}

/** Erases a person after the operator has confirmed it. */
async function erasePerson(erasing: PersonErasing): Promise<Outcome> {
  const { settings, database, terminal, who, isTrial, signal } = erasing;
  checkNamed(who);
  return withServiceModules(settings, database, async (modules) => {
    const candidate = await candidateOf(database.ctx, modules.get(KnownPeople), who);
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
      const report = await modules.get(PersonErasure).erase(database.ctx, id, {
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

const HELP = commandHelp(
  'answer privacy requests: export or erase a person',
  'Exports all that is stored about a person, or erases it. docs/privacy.md walks through a request.',
);

const EXPORT_HELP = commandHelp(
  'write all that is stored about a person, as JSON',
  `Writes all that is stored about a user, deleted ones too, as one JSON document: each part with a word on what it is.
Secrets and their digests are left out, and so is what is about others. It reads the whole audit log.`,
  `Examples:
  $ npm run --silent cli -- person export jan@example.com > jan.json
  $ npm run cli -- person export --id 42 --file jan.json`,
);

const ERASE_HELP = commandHelp(
  'take the name and the addresses of a person out of the database',
  `Deletes the user, if that has not happened yet, and takes names and addresses out of users, contacts, invitations,
notifications, their recipients, waiting mails and the texts of the audit log. Ids stay. Cannot be undone. Says what was
touched, and where an address of the person still stands in what belongs to others. The last enabled admin stays. After
an interruption run it again.`,
  `Examples:
  $ npm run cli -- person erase jan@example.com --dry-run
  $ npm run cli -- person erase jan@example.com
  $ npm run cli -- person erase --id 42 --yes`,
);

interface PersonOptions extends CommonOptions {
  readonly id?: number;
}

const named = (username: string | undefined, { id }: PersonOptions): NamedPerson => ({ username, id });

export function declarePerson(cli: CommandLine): void {
  const person = cli.group('person', HELP);
  person
    .command('export', EXPORT_HELP)
    .argument('[username]', 'the user name, of a deleted user too')
    .option('--id <number>', 'the user of this id', identifier)
    .option('--file <file>', 'write it there, readable by its owner alone, instead of to standard output')
    .action(async (username: string | undefined, options: PersonOptions & { file?: string }) => {
      await exportPerson(readSettings(), cli.terminal, named(username, options), options.file);
    });
  person
    .command('erase', ERASE_HELP, 'dry-run')
    .argument('[username]', 'the user name, of a deleted user too')
    .option('--id <number>', 'the user of this id', identifier)
    .option('--yes', 'do not ask for confirmation')
    .action(async (username: string | undefined, options: PersonOptions & { yes?: boolean }) => {
      const { json = false, dryRun: isTrial = false, yes: isConfirmed = false } = options;
      const settings = readSettings();
      const signal = interruption();
      const who = named(username, options);
      await cli.run('person erase', json, (database) =>
        erasePerson({ settings, database, terminal: cli.terminal, who, isTrial, isConfirmed, signal }),
      );
    });
}
