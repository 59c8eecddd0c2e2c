import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const USER = 'bench';
const PASSWORD = 'password';

/**
 * A mail relay with STARTTLS and AUTH that greets after 100 ms. It has a process of its own, because whoever
 * measures latencies beside it must not wait for it. `roundTrip` and `accept` are milliseconds. `arrivals`
 * has the time at which each address got its first mail.
 */
export async function startRelay(stage, { roundTrip = 0, accept = 0 }) {
  const child = fork(join(import.meta.dirname, 'mail-relay-process.mjs'), [
    roundTrip,
    accept,
    USER,
    PASSWORD,
  ]);
  // A relay that has failed is gone by then, and must not hide why.
  stage.atEnd(() => child.connected && child.disconnect());
  const arrivals = new Map();
  let connections = 0;
  child.on('message', (told) => {
    connections = told.connections ?? connections;
    if (told.to !== undefined && !arrivals.has(told.to))
      arrivals.set(told.to, told.at - performance.timeOrigin);
  });
  const [{ port }] = await once(child, 'message');
  return {
    // Nobody vouches for its certificate.
    url: `smtp://${USER}:${PASSWORD}@127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    pid: child.pid,
    arrivals,
    connections: () => connections,
    /** Takes no mail, though it goes on to talk, until it is called with false. */
    hold: (isUnavailable) => void child.send({ isUnavailable }),
  };
}
