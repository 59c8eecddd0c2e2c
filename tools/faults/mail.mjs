// A mail server that counts what it takes, by receiver.
import { SMTPServer } from 'smtp-server';
import { freePort } from './processes.mjs';

export async function startMailServer() {
  const port = await freePort();
  /** By receiver, each of its mails: when it was taken, and its Message-ID. */
  const taken = new Map();
  let pace = 0;
  let server;
  const start = async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      onData: (stream, session, callback) => {
        let text = '';
        stream.setEncoding('latin1').on('data', (chunk) => (text += chunk));
        stream.once('end', () => {
          const id = /^message-id:\s*(\S+)/im.exec(text)?.[1];
          const mail = { at: new Date().toISOString(), id };
          for (const { address } of session.envelope.rcptTo) {
            taken.set(address, [...(taken.get(address) ?? []), mail]);
          }
          setTimeout(callback, pace, null);
        });
      },
    });
    server.on('error', () => undefined);
    await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  };
  await start();
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    /** Milliseconds before it says that it took a mail. */
    slowDown: (milliseconds) => void (pace = milliseconds),
    /** Nobody listens until it is started again. */
    stop: () => new Promise((resolve) => server.close(resolve)),
    start,
  };
}
