import type { WorkContext } from '../context/work-context';
import type { JobPriority } from './job-priorities';

/** Mails that a process sends at once, each over a connection of its own. */
export const CONCURRENT_MAILS = 10;

export interface RunningJob {
  readonly ctx: WorkContext;
  readonly id: string;
  /** See `NewJob.key`. */
  readonly key: string | undefined;
  /** 1 at the first try. */
  readonly attempt: number;
  /** When the job was written, by the database clock. */
  readonly queuedAt: Date;
  readonly priority: JobPriority;
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

  /**
   * `mails`: the job waits for the mail server. Jobs of one pool never wait behind those of
   * the other.
   */
  readonly pool: 'mails' | 'others' = 'others';

  /** A rejection causes a retry. */
  abstract run(payload: unknown, job: RunningJob): Promise<void>;
}
