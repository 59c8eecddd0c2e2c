import type { Settings } from '../settings/settings';
import type { Pooler } from './database-pool';

/** The database as those reach it that hold something for a session: a lock, LISTEN, settings of their own. */
interface DirectDatabase {
  readonly url: string;
  /** One that gives a connection for a session may stand there too. */
  readonly pooler: Pooler | undefined;
}

/** @param url of the database of requests */
export const directDatabase = (
  { databaseDirectUrl, databasePooler }: Settings,
  url: string,
): DirectDatabase => ({
  url: databaseDirectUrl ?? url,
  pooler: databasePooler === undefined ? undefined : 'session',
});
