import cluster from 'node:cluster';

/** The primary's instructions for a worker of its cluster. */
export interface WorkerTask {
  /** The prepared database. */
  readonly databaseUrl: string;
  /** The port of all workers. With port 0 the first workers choose one and later ones take the same. */
  readonly port: number;
  /** Whether this is the one worker that also runs the jobs. */
  readonly doesJobs: boolean;
}

/** Messages between the primary and a starting worker. */
export type StartMessage =
  | { readonly kind: 'worker.waits' }
  | { readonly kind: 'worker.task'; readonly task: WorkerTask }
  | { readonly kind: 'worker.ready'; readonly port: number }
  | { readonly kind: 'worker.failed'; readonly line: string };

/** Whether this process is one of several that serve one port (`PROCESSES`). */
export const isClusterWorker = (): boolean => cluster.isWorker;

/** Asks the primary for the task. The worker asks, since a message before it listens is lost. */
export function receiveTask(): Promise<WorkerTask> {
  return new Promise((resolve) => {
    const receive = (message: StartMessage): void => {
      if (message.kind !== 'worker.task') return;
      process.off('message', receive);
      resolve(message.task);
    };
    process.on('message', receive);
    void tellPrimary({ kind: 'worker.waits' });
  });
}

/** Resolves when the primary has the message or is gone. */
export function tellPrimary(message: StartMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}
