/** What a handler may know of the job that it runs. */
export interface RunningJob {
  readonly id: string;
  /** See `NewJob.key`. */
  readonly key: string | undefined;
  /** 1 at the first try. */
  readonly attempt: number;
  /** When the job was written, by the database clock. */
  readonly queuedAt: Date;
  /** Whether a failure now is final. */
  readonly isLastTry: boolean;
}

/**
 * Does the jobs of one task. A provider of any module that extends this class is found by itself. A job can run
 * again after it was done (the process may die before that is written down): running it twice must do no harm.
 */
export abstract class JobHandler {
  /** The task that it does (see `NewJob.task`). */
  abstract readonly task: string;

  /** When the worker does it by itself, in the form of cron; such a job is tried once each time. */
  readonly times?: string;

  /** Rejects for another try later. */
  abstract run(payload: unknown, job: RunningJob): Promise<void>;
}
