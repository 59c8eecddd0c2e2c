import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Settings } from '@app/core/settings/settings';
import { KnownPeople, type Candidate } from '@app/privacy/known-people';
import { PersonExport } from '@app/privacy/person-export';
import { withDatabase } from '../database';
import { CommandFailed } from '../outcome';
import { withServiceModules } from '../service-modules';
import type { Terminal } from '../terminal';
import { candidateOf, checkNamed, type NamedPerson } from './person-named';

/** Writes all that is stored about a person as it comes from the database: the audit log may be long. */
export async function exportPerson(
  settings: Settings,
  terminal: Terminal,
  who: NamedPerson,
  file: string | undefined,
): Promise<void> {
  checkNamed(who);
  await withDatabase('person export', settings, terminal, (database) =>
    withServiceModules(settings, database, async (modules) => {
      const candidate = await candidateOf(modules.get(KnownPeople), who);
      const document = Readable.from(documentOf(candidate, modules.get(PersonExport)));
      if (file === undefined) await pipeline(document, process.stdout, { end: false });
      else await writeOwnFile(document, file);
    }),
  );
}

async function* documentOf({ id }: Candidate, source: PersonExport): AsyncGenerator<string> {
  const about = 'All that the account service stores about the person, a part for each kind. Times are UTC.';
  const head = { person: id, writtenAt: new Date(), about };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "parts": {`;
  let isFirst = true;
  for await (const { name, about, records } of source.parts(id)) {
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

/** A whole file or none, which only its owner reads; one that is there is left alone. */
async function writeOwnFile(content: Readable, file: string): Promise<void> {
  try {
    await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === 'open') {
      throw new CommandFailed(code === 'EEXIST' ? `${file} is there already` : `can not write: ${message}`);
    }
    await rm(file, { force: true });
    throw error;
  }
}
