import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isTo, readMail, type Mailbox, type ReadMail } from './mailbox';

interface StoredMail extends ReadMail {
  readonly modified: number;
}

/** A folder of `.eml` files, such as the one where a service without a mail server leaves its mails. */
export class MailFolder implements Mailbox {
  readonly place: string;
  private readonly mails = new Map<string, StoredMail>();

  private constructor(
    private readonly folder: string,
    /** The files that were there before: nothing in them is for this run. */
    private readonly old: ReadonlySet<string>,
  ) {
    this.place = folder;
  }

  static async open(folder: string): Promise<MailFolder> {
    return new MailFolder(folder, new Set(await filesOf(folder)));
  }

  async textsTo(address: string): Promise<readonly string[]> {
    for (const file of await filesOf(this.folder)) {
      if (this.old.has(file) || this.mails.has(file)) continue;
      const path = join(this.folder, file);
      const mail = await readMail(await readFile(path));
      this.mails.set(file, { ...mail, modified: (await stat(path)).mtimeMs });
    }
    return [...this.mails.values()]
      .filter(isTo(address))
      .sort((one, other) => one.modified - other.modified)
      .map(({ text }) => text);
  }

  async close(): Promise<void> {}
}

/** A folder that is not there yet is empty: the service makes it for its first mail. */
async function filesOf(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return files.filter((file) => file.endsWith('.eml'));
}
