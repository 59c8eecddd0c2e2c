import type { EntityManager } from 'typeorm';

/** Names of tasks are `<domain>.<verb>`, such as `mail.send`. */
export interface NewJob {
  readonly task: string;
  /** Stored as it is: a secret in it must be encrypted. */
  readonly payload: object;
  /** A job of the same key that still waits is replaced, and can be withdrawn by it. */
  readonly key?: string;
}

/**
 * How often a failing job is tried. graphile-worker waits e^n seconds after the nth try, from the tenth on six
 * hours: 20 tries reach over three days, so a mail server may be away for a weekend.
 */
const MOST_TRIES = 20;

/** Writes a job in the manager's transaction: nobody sees it before the commit, and a rollback takes it along. */
export async function queueJob(manager: EntityManager, { task, payload, key }: NewJob): Promise<void> {
  await manager.query(
    `SELECT FROM graphile_worker.add_job($1, $2::json, max_attempts => $3, job_key => $4)`,
    [task, JSON.stringify(payload), MOST_TRIES, key ?? null],
  );
}

/** Takes back a job that waits, if there is one of that key; one that is just being done is done. */
export async function withdrawJob(manager: EntityManager, key: string): Promise<void> {
  await manager.query(`SELECT FROM graphile_worker.remove_job($1)`, [key]);
}
