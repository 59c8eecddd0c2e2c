// Processes of the service, as its users run them.
import { join } from 'node:path';
import { freePort, killProgram, lastWords, signal, startProgram, until } from './processes.mjs';

const ROOT = join(import.meta.dirname, '../..');
const FLAGS = ['--max-old-space-size=512', '--max-semi-space-size=8'];
export const ADMIN = { username: 'admin@faults.example', password: 'Faults-Pass-1' };
/**
 * Milliseconds from SIGTERM to the end: the delay of five seconds, the grace for
 * requests in flight, and room.
 */
const STOP_TIME = 30_000;

/** A node that is not started yet; it keeps its port from start to start. */
export async function makeServiceNode({ name, variant = 'A', folder, settings }) {
  const port = await freePort();
  const node = { name, variant, port, settings };
  const environment = () => ({
    API_VARIANT: variant,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, `${name}-data`),
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    BCRYPT_COST: '4',
    RATE_LIMIT: 'off',
    MAIL_HOURLY_LIMIT: 'off',
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'info',
    ...node.settings,
  });
  /** Starts it and waits until it can write, unless it is told not to. */
  node.start = async ({ wait = true } = {}) => {
    const main = join(ROOT, 'dist/apps/api/main.js');
    node.program = startProgram(name, process.execPath, [...FLAGS, main], {
      folder,
      settings: environment(),
    });
    if (wait) await node.ready();
  };
  node.ready = () =>
    until(
      `${name} is ready`,
      () => {
        if (node.program.hasEnded) throw new Error(`${name} ended: ${lastWords(node.program)}`);
        return isReady(port);
      },
      { within: 90_000, every: 100 },
    );
  /** SIGTERM; gives the milliseconds until it has ended, and its exit code. */
  node.stop = async () => {
    const began = performance.now();
    const timer = setTimeout(() => killProgram(node.program), STOP_TIME);
    signal(node.program.pid, 'SIGTERM');
    await node.program.ended;
    clearTimeout(timer);
    return { milliseconds: performance.now() - began, status: node.program.child.exitCode };
  };
  node.kill = () => killProgram(node.program);
  return node;
}

async function isReady(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(3000),
    });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
