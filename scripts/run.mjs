// Runs programs for the other scripts: nothing that they start outlives them.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const running = new Set();
let interruption;

function interrupt(signal) {
  interruption = signal;
  for (const child of running) child.kill(signal);
}

/**
 * Runs a program and passes signals on to it. Returns its exit status and, if asked to collect
 * it, its output.
 */
export function execute(command, args, { collect = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...options,
      stdio: collect ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    const output = [];
    if (running.size === 0)
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
    running.add(child);
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    const settle = (finish) => {
      running.delete(child);
      if (running.size > 0) return finish();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, interrupt);
      if (interruption) process.exit(128 + constants.signals[interruption]);
      finish();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (status) =>
      settle(() => resolve({ status: status ?? 1, output: Buffer.concat(output).toString() })),
    );
  });
}

/** Runs a program; exits if it fails. */
export async function run(command, args, options) {
  const { status } = await execute(command, args, options);
  if (status !== 0) {
    console.error(`Failed with status ${status}: ${[command, ...args].join(' ')}`);
    process.exit(status);
  }
}
