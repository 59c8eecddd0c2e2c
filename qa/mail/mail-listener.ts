import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { isTo, readMail, type Mailbox, type ReadMail } from './mailbox';

const MAX_MAIL_BYTES = 1_000_000;

/** A mail server that takes every mail and keeps it until the run ends. */
export class MailListener implements Mailbox {
  private readonly mails: ReadMail[] = [];
  private readonly server: SMTPServer;

  private constructor(readonly place: string) {
    this.server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      size: MAX_MAIL_BYTES,
      logger: false,
      onAuth: (_auth, _session, callback) => callback(null, { user: 'anybody' }),
      onData: (stream, session, callback) => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
        buffer(stream)
          .then(readMail)
          .then(({ text }) => void this.mails.push({ to: recipients, text }))
          .then(
            () => callback(null),
            (error: Error) => callback(error),
          );
      },
    });
  }

  static async open(host: string, port: number): Promise<MailListener> {
    const listener = new MailListener(`${host}:${port}`);
    await new Promise<void>((resolve, reject) => {
      listener.server.once('error', reject);
      listener.server.listen(port, host, resolve);
    });
    // A connection that breaks is the deployment's to open again.
    listener.server.on('error', () => undefined);
    return listener;
  }

  async textsTo(address: string): Promise<readonly string[]> {
    return Promise.resolve(this.mails.filter(isTo(address)).map(({ text }) => text));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}
