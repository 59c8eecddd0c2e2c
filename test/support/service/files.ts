import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the files of one test file or block. */
export interface Files {
  readonly folder: string;
  /** Gives its path. */
  write(name: string, content: string | Buffer): string;
  path(name: string): string;
}

/** It is there at once, and gone after the last test. */
export function useFiles(): Files {
  const folder = mkdtempSync(join(tmpdir(), 'account-api-test-files-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);
  return {
    folder,
    path,
    write: (name, content) => {
      writeFileSync(path(name), content);
      return path(name);
    },
  };
}
