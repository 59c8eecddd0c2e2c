// The library of the jobs asks for the folder of its user while it is loaded, for a file of settings. Where
// HOME is not set and the user is in no list, as those of DynamicUser= and of containers, Node throws.
import { homedir } from 'node:os';

try {
  homedir();
} catch {
  // eslint-disable-next-line no-restricted-properties -- the library reads it, no setting of the service
  process.env['HOME'] = '/';
}

export {};
