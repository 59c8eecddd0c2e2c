import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Candidate, KnownPeople } from '@app/records/privacy/known-people';
import { PersonErasure } from '@app/records/privacy/person-erasure';
import { PersonExport } from '@app/records/privacy/person-export';
import type { RequestContext } from '@app/security/context/request-context';
import { type CommandLine, identifier, memberHelp, type TrialOptions } from '../command';
import type { CommandRun } from '../database';
import { CommandFailed, type Outcome, WrongUse } from '../outcome';
import { reasonOf } from '../refusal';
import { interruption, readLine, type Terminal, writeNewFile } from '../terminal';
import { exportErasures } from './erasure-list';
import { erasureLines } from './erasure-report';

interface PersonOptions extends TrialOptions {
  readonly id?: number;
}

interface EraseOptions extends PersonOptions {
  readonly yes?: boolean;
  /** Whether the operator has confirmed to erase an admin. */
  readonly admin?: boolean;
}

/** A person by a present or former user name or address, or by id. */
type Who = Parameters<KnownPeople['candidates']>[1];

/** Several users may have had the same name or address. They may be different persons. */
async function candidateOf(ctx: RequestContext, people: KnownPeople, who: Who): Promise<Candidate> {
  const found = await people.candidates(ctx, who);
  const [only, ...others] = found;
  const wanted = 'id' in who ? who.id : JSON.stringify(who.name);
  if (only === undefined) throw new CommandFailed(`there is no user ${wanted}, nor a deleted one`);
  if (others.length === 0) return only;
  const list = found.map((user) => `--id ${user.id} (${user.username}, ${stateOf(user)})`).join(', ');
  throw new CommandFailed(`several users have or had ${wanted}: choose one by ${list}`);
}

const stateOf = ({ organisationId, deletedAt }: Candidate): string =>
  `organisation ${organisationId}, ${
    deletedAt === null ? 'in use' : `deleted ${deletedAt.toISOString().slice(0, 10)}`
  }`;

/** Streams all data about a person, because the audit log may be long. */
async function exportPerson(run: CommandRun, who: Who, file: string | undefined): Promise<void> {
  const { ctx, terminal } = run;
  const { withServiceModules } = await import('../service-modules.js');
  await withServiceModules(run, async (modules) => {
    const candidate = await candidateOf(ctx, modules.get(KnownPeople), who);
    const document = documentOf(ctx, candidate, modules.get(PersonExport));
    if (file === undefined) await pipeline(Readable.from(document), process.stdout, { end: false });
    else {
      await writeNewFile(file, document);
      terminal.say(`Wrote ${file}`);
    }
  });
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

/** Erases a person after the operator has confirmed it. */
async function erasePerson(run: CommandRun, who: Who, options: EraseOptions): Promise<Outcome> {
  const { ctx, terminal } = run;
  const { dryRun: isTrial = false } = options;
  const signal = interruption();
  const { withServiceModules } = await import('../service-modules.js');
  return withServiceModules(run, async (modules) => {
    const candidate = await candidateOf(ctx, modules.get(KnownPeople), who);
    const { id } = candidate;
    const isAdmin = candidate.deletedAt === null && candidate.roles.includes('ROLE_ADMIN');
    if (isAdmin && !isTrial && options.admin !== true)
      throw new CommandFailed(`user ${id} is an admin (ROLE_ADMIN): add --admin to erase it`);
    if (!isTrial && options.yes !== true) await confirm(candidate, isAdmin, terminal);
    try {
      const report = await modules.get(PersonErasure).erase(ctx, id, {
        isTrial,
        signal,
        onProgress: (done, all) => terminal.progress(done / all, `${done} of ${all} steps`),
      });
      const lines = [
        ...erasureLines(report),
        ...(isAdmin && isTrial ? [`User ${id} is an admin (ROLE_ADMIN): the erasure needs --admin`] : []),
      ];
      return { report, lines };
    } catch (error) {
      const reason = reasonOf(error);
      throw reason === undefined ? error : new CommandFailed(`user ${id} was not erased: ${reason}`);
    } finally {
      terminal.endProgress();
    }
  });
}

/** Asks the operator to type the id. A script cannot answer and uses --yes. */
async function confirm(candidate: Candidate, isAdmin: boolean, terminal: Terminal): Promise<void> {
  const { id, username } = candidate;
  const whom = `User ${id}, ${JSON.stringify(username)} (${stateOf(candidate)})`;
  terminal.say(`${whom}, ${isAdmin ? 'an admin (ROLE_ADMIN), ' : ''}is about to be erased for good.`);
  terminal.say(`Type ${id} to erase it, or anything else to cancel:`);
  const answer = await readLine(process.stdin, 'the answer').catch((error: unknown) => {
    if (error instanceof WrongUse) return '';
    throw error;
  });
  if (answer.trim() !== String(id))
    throw new CommandFailed('not confirmed: nothing was erased; scripts use --yes');
}

const EXPORT_HELP = memberHelp(
  'write all data about a person as JSON',
  `Writes all data about a user, also a deleted one, as one JSON document that describes each part. It contains no
secrets or their digests, and no data about others. It reads the whole audit log.`,
  `Examples:
  $ npm run --silent cli -- person export jan@example.com > jan.json
  $ npm run cli -- person export --id 42 --file jan.json`,
);

const ERASE_HELP = memberHelp(
  'remove the name and the addresses of a person from the database',
  `Deletes the user, if not deleted yet, and removes its names and addresses from users, contacts, invitations,
notifications, their recipients, waiting mails and the audit log. Ids remain. Texts that people wrote, and documents, are
not searched. This cannot be undone. Like --dry-run, it reports the tables with the number of their rows. It refuses the
last enabled admin. It can be run again, after an interruption too.`,
  `Examples:
  $ npm run cli -- person erase jan@example.com --dry-run
  $ npm run cli -- person erase jan@example.com
  $ npm run cli -- person erase --id 42 --yes`,
);

const ERASURES_HELP = memberHelp(
  'write the ids and times of all erasures, for a restore',
  `Writes the ids of all erased users with the time of their erasure as csv, without names. A restored backup contains
these users again, and \`after-restore --erasures\` erases them again. Keep the file with the backups, not in the database.`,
  `Example:
  $ npm run cli -- person erasures --export erasures.csv`,
);

const NAME = 'a user name or an address, present or former, of a deleted user too';

function named(name: string | undefined, { id }: PersonOptions): Who {
  if (id === undefined && name !== undefined) return { name };
  if (id !== undefined && name === undefined) return { id };
  throw new WrongUse('name the user or give --id, not both');
}

export function declare(cli: CommandLine): void {
  const person = cli.group(
    'person',
    'Exports or erases all data about a person. docs/privacy.md describes the steps of a request.',
  );
  person
    .command('export', EXPORT_HELP)
    .argument('[name]', NAME)
    .option('--id <number>', 'the user of this id', identifier)
    .option('--file <file>', 'write it to this file, readable only by its owner, instead of standard output')
    .action((name: string | undefined, options: PersonOptions & { file?: string }) => {
      const who = named(name, options);
      return cli.run((run) => exportPerson(run, who, options.file));
    });
  person
    .command('erase', ERASE_HELP, 'dry-run')
    .argument('[name]', NAME)
    .option('--id <number>', 'the user of this id', identifier)
    .option('--yes', 'do not ask for confirmation')
    .option('--admin', 'erase the user even if it is an admin')
    .action((name: string | undefined, options: EraseOptions) => {
      const who = named(name, options);
      return cli.run((run) => erasePerson(run, who, options));
    });
  person
    .command('erasures', ERASURES_HELP)
    .requiredOption('--export <file>', 'a new file, readable only by its owner')
    .action(({ export: file }: { export: string }) => cli.run((run) => exportErasures(run, file)));
}
