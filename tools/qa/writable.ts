import { accessSync, constants, statSync } from 'node:fs';
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
