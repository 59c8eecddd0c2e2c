// A mail relay that is some milliseconds away, in a process of its own: started by mail-relay.mjs.
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const [roundTrip, accept] = process.argv.slice(2).map(Number);
const [user, password] = process.argv.slice(4);

/** What waits until mails are taken again; undefined while they are. */
let held;
let connections = 0;

// The library itself greets after 100 ms, because it waits for senders that talk too soon. It offers STARTTLS
// with a certificate of its own, and AUTH only under TLS.
const relay = new SMTPServer({
  logger: false,
  disableReverseLookup: true,
  onConnect: (_session, callback) => {
    connections += 1;
    process.send({ connections });
    callback();
  },
  onAuth: (auth, { secure }, callback) => {
    const isGood = secure && auth.username === user && auth.password === password;
    callback(isGood ? null : new Error('Not with this password'), { user });
  },
  onData: (stream, { envelope }, callback) => {
    stream.resume().once('end', async () => {
      const taken = pause(accept);
      if (held !== undefined) await new Promise((resolve) => held.push(resolve));
      await taken;
      // The clock of all processes on the machine.
      process.send({ to: envelope.rcptTo[0].address, at: performance.timeOrigin + performance.now() });
      callback(null);
    });
  },
});
// Of senders that leave.
relay.on('error', () => undefined);

/** Hands on what comes from one side after half a round trip, in its order. */
const deliverLater = (from, to) =>
  from
    .on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), roundTrip / 2))
    .on('error', () => undefined)
    .on('close', () => setTimeout(() => to.destroy(), roundTrip / 2));

/** Stands before the relay, as far away as the relay is to be. */
const distant = (port) =>
  createServer({ noDelay: true, pauseOnConnect: true }, async (client) => {
    // A connection takes a round trip too.
    await pause(roundTrip);
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    deliverLater(client, server);
    deliverLater(server, client);
    client.resume();
  });

const listening = (server) =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

process.on('message', ({ isUnavailable }) => {
  if (isUnavailable) held ??= [];
  else {
    for (const take of held ?? []) take();
    held = undefined;
  }
});
process.on('disconnect', () => process.exit());

await new Promise((resolve) => relay.listen(0, '127.0.0.1', resolve));
const { port } = relay.server.address();
process.send({ port: roundTrip > 0 ? await listening(distant(port)) : port });
