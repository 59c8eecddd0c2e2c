import { accessSync, chmodSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether a file takes a report: asked before a long run, not after it. */
export function isWritable(file: string): boolean {
  try {
    const known = statSync(file, { throwIfNoEntry: false });
    accessSync(known === undefined ? dirname(file) : file, constants.W_OK);
    return known?.isDirectory() !== true;
  } catch {
    return false;
  }
}

const OWNER_ALONE = 0o600;

/** Writes a file that its owner alone may read, whoever may have read one that was there before. */
export function writeForOwner(file: string, text: string): void {
  if (existsSync(file) && statSync(file).isFile()) chmodSync(file, OWNER_ALONE);
  writeFileSync(file, text, { mode: OWNER_ALONE });
}
