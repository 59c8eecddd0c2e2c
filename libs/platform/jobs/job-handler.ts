import type { RequestContext } from '../context/request-context';

export interface RunningJob {
  readonly ctx: RequestContext;
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
 * Runs the jobs of one task. `JobRunner` finds each that a module provides. The process may die before it
 * has recorded a finished job, which then runs again, so running twice must do no harm.
 */
export abstract class JobHandler {
  /** See `NewJob.task`. */
  abstract readonly task: string;

  /** The schedule in cron's format, if any. A scheduled job has one try. */
  readonly times?: string;

  /** A rejection causes a retry. */
  abstract run(payload: unknown, job: RunningJob): Promise<void>;
}
