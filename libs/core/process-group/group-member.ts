import cluster from 'node:cluster';

/** What the primary gives a member to serve. */
export interface MemberTask {
  /** Connection string of the prepared database. */
  readonly databaseUrl: string;
  /** The port of all: where any will do, the first members choose and the later ones follow. */
  readonly port: number;
  /** Whether this is the one member that also does the jobs. */
  readonly doesJobs: boolean;
}

/** What a member tells the primary, and the primary a member, while it starts. */
export type MemberMessage =
  | { readonly kind: 'member.task'; readonly task: MemberTask }
  | { readonly kind: 'member.waits' }
  | { readonly kind: 'member.ready'; readonly port: number }
  | { readonly kind: 'member.failed'; readonly line: string };

/** Whether this process is one of several that serve one port (`PROCESSES`). */
export const isGroupMember = (): boolean => cluster.isWorker;

/** Asks the primary what to serve. It is asked for: what is sent before anybody listens would be lost. */
export function taskOfMember(): Promise<MemberTask> {
  return new Promise((resolve) => {
    const receive = (message: MemberMessage): void => {
      if (message.kind !== 'member.task') return;
      process.off('message', receive);
      resolve(message.task);
    };
    process.on('message', receive);
    void tellPrimary({ kind: 'member.waits' });
  });
}

/** Settled when the primary has it, or is gone. */
export function tellPrimary(message: MemberMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}
