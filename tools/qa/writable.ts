import { accessSync, constants } from 'node:fs';

/** Whether a folder takes a report: asked before a long run, not after it. */
export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
