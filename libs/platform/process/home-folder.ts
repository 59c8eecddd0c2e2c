// Libraries ask for the folder of the user while they are loaded (graphile-worker, for a file of its settings). Where
// HOME is not set and the user is in no list, as those of DynamicUser= and of containers, Node throws.
import { homedir } from 'node:os';

try {
  homedir();
} catch {
  process.env['HOME'] = '/';
}

export {};
