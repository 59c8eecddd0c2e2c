import { explain } from './explain';

/** What a process does until it is told to stop. */
export interface RunningProcess {
  /** Finishes what is in hand; bounded in time. */
  stop(): Promise<void>;
}

/**
 * Runs a process: starts it, or ends with the one line that tells the operator what to do; stops it in order on
 * SIGTERM and SIGINT. A signal that comes while it still starts is remembered and obeyed when it has.
 * @param tell where that line goes; standard error unless another process tells it
 */
export async function runProcess(
  name: string,
  start: () => Promise<RunningProcess>,
  tell: (line: string) => unknown = (line) => process.stderr.write(`${name} ends with an error: ${line}\n`),
): Promise<void> {
  const stopWanted = new Promise<void>((resolve) => {
    // Further signals change nothing: the stop is bounded in time by itself.
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
  try {
    const running = await start();
    await stopWanted;
    await running.stop();
    process.exit(0);
  } catch (error) {
    await tell(explain(error));
    process.exit(1);
  }
}
