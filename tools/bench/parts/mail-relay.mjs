import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A mail server in this process, as far as a sender without pipelining needs it. Each reply takes a round
 * trip, in milliseconds as all times. `arrivals` has the time at which each address got its first mail.
 */
export async function startRelay(stage, { greeting = 0, roundTrip = 0, accept = 0 }) {
  const arrivals = new Map();
  const sockets = new Set();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.setNoDelay().setEncoding('latin1');
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    const reply = (text, after = roundTrip) =>
      void pause(after).then(() => socket.writable && socket.write(`${text}\r\n`));
    let rest = '';
    let recipient = '';
    let isBody = false;
    const take = (line) => {
      if (isBody) {
        if (line !== '.') return;
        isBody = false;
        const to = recipient;
        void pause(accept).then(() => {
          if (!arrivals.has(to)) arrivals.set(to, performance.now());
          reply('250 taken');
        });
      } else if (/^(EHLO|HELO)/.test(line)) reply('250-relay\r\n250 AUTH PLAIN');
      else if (/^AUTH/.test(line)) reply('235 welcome');
      else if (/^DATA/.test(line)) {
        isBody = true;
        reply('354 go on');
      } else if (/^QUIT/.test(line)) socket.end('221 bye\r\n');
      else {
        recipient = /^RCPT TO:<(.*?)>/.exec(line)?.[1] ?? recipient;
        reply('250 ok');
      }
    };
    socket.on('data', (text) => {
      const lines = (rest + text).split('\r\n');
      rest = lines.pop();
      for (const line of lines) take(line);
    });
    reply('220 relay ready', greeting);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  stage.atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = `smtp://bench:password@127.0.0.1:${server.address().port}`;
  return { url, arrivals, connections: () => connections };
}
