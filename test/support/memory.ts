import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Bytes that this process can still reach, buffers included. Unlike the resident size it does not depend on when
 * garbage was last collected, or on what the system has taken back.
 */
export const memoryInUse = (): number => {
  // What a finalizer of the first collection lets go, the second takes.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
