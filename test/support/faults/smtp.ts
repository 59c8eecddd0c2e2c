import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { domainToASCII } from 'node:url';
import PostalMime, { decodeWords } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './certificates';

/** A mail as the receiving server got it. */
export interface ReceivedMail {
  /** Envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** By lower-case name; encoded words decoded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
  readonly raw: string;
}

/** A real mail server that keeps what it gets. */
export interface TestMailServer {
  readonly url: string;
  readonly mails: ReceivedMail[];
  readonly mailsTo: (address: string) => ReceivedMail[];
  /** Connections so far, those that were turned away included. */
  readonly connections: () => number;
  /** The names in EHLO, each once. */
  readonly greetings: () => string[];
  /** Turns every mail away with 451 until it is called with false. */
  refuse(on: boolean): void;
  /**
   * Keeps every mail but replies with 451, as when the reply is lost on the way,
   * until it is called with false.
   */
  loseReplies(on: boolean): void;
  /** Milliseconds before a mail is accepted. */
  delay(milliseconds: number): void;
  /** Leaves every mail without a reply until it is called with false. */
  hold(on: boolean): void;
  /** Mails without a reply. */
  readonly held: () => number;
  /** Accepts the oldest mail without a reply. */
  acceptOne(): void;
  /** Says nothing to the first command of each mail that comes before it is called with false, ever. */
  hangBeforeData(on: boolean): void;
  /** Mails whose first command has no reply. */
  readonly hanging: () => number;
  /** Closes each connection after its first mail until it is called with false. */
  closeAfterMails(on: boolean): void;
  /** Shows this certificate to new connections. Only for a server that was started with one. */
  present(certificate: Certificate): void;
  /** Turns connections away with 421 beyond so many that are open. */
  allowConnections(most: number): void;
  /** Turns every second recipient away with 452 until it is called with false. */
  refuseEverySecond(on: boolean): void;
  /** Turns every recipient (`RCPT`) or mail (`DATA`) away with 5xx until it is called without one. */
  refuseForGood(at?: 'RCPT' | 'DATA'): void;
  /** Turns every sender (MAIL) away with 553 until it is called with false. */
  refuseSender(on: boolean): void;
  /** The password without which no mail is taken from now on. */
  requirePassword(password: string): void;
  /** Closes all connections, as if they had been idle for too long. */
  closeConnections(): void;
  stop(): Promise<void>;
}

/** Starts one on this machine; port 0 takes a free one. With a certificate it offers STARTTLS. */
export async function startMailServer(port = 0, certificate?: Certificate): Promise<TestMailServer> {
  const server = mailServer(certificate);
  await server.listen(port);
  return server;
}

/** A mail server that has no address until it listens. */
function mailServer(certificate?: Certificate): TestMailServer & { listen(port: number): Promise<void> } {
  let url: string | undefined;
  const mails: ReceivedMail[] = [];
  let refusing = false;
  let losing = false;
  let pause = 0;
  let holding = false;
  let held: (() => void)[] = [];
  let isHanging = false;
  let hanging = 0;
  let closing = false;
  let connections = 0;
  const greetings = new Set<string>();
  let most = Infinity;
  let refusingSecond = false;
  let recipients = 0;
  let refusingSender = false;
  let refusingAt: 'RCPT' | 'DATA' | undefined;
  let password: string | undefined;
  const open = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: certificate === undefined ? ['STARTTLS'] : [],
    ...certificate,
    allowInsecureAuth: true,
    logger: false,
    // Senders keep connections open.
    closeTimeout: 50,
    onConnect: ({ id }, callback) => {
      connections += 1;
      if (open.size >= most) {
        callback(failure(421, 'too many connections'));
        return;
      }
      open.add(id);
      callback(null);
    },
    onClose: ({ id }) => void open.delete(id),
    onAuth: (auth, _session, callback) => {
      if (password === undefined || auth.password === password) callback(null, { user: auth.username });
      else callback(failure(535, 'wrong password'));
    },
    onMailFrom: (_address, session, callback) => {
      greetings.add(session.hostNameAppearsAs);
      if (isHanging) hanging += 1;
      else if (refusingSender) callback(failure(553, 'unknown sender'));
      else callback(refusing ? failure(451, 'try again later') : null);
    },
    onRcptTo: (_address, _session, callback) => {
      recipients += 1;
      if (refusingAt === 'RCPT') callback(failure(550, 'no such mailbox'));
      else callback(refusingSecond && recipients % 2 === 0 ? failure(452, 'too many recipients') : null);
    },
    onData: (stream, session, callback) => {
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom === false ? '' : asSent(mailFrom);
      const to = rcptTo.map(asSent);
      void buffer(stream)
        .then(parseMail)
        .then((mail) => {
          const accept = (): void => {
            if (refusingAt === 'DATA') {
              callback(failure(554, 'this is spam'));
              return;
            }
            mails.push({ from, to, ...mail });
            callback(losing ? failure(451, 'try again later') : null);
            if (closing) close(({ id }) => id === session.id);
          };
          if (holding) held.push(accept);
          else setTimeout(accept, pause);
        })
        // The sender has gone.
        .catch(callback);
    },
  });
  const close = (isMeant: (connection: { readonly id: string }) => boolean): void => {
    for (const connection of server.connections) if (isMeant(connection)) connection.close();
  };
  server.on('error', () => undefined);
  return {
    listen: async (port) => {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    },
    get url(): string {
      if (url === undefined)
        throw new Error('The mail server does not listen: read its address in a hook or a test');
      return url;
    },
    mails,
    mailsTo: (address) => mails.filter(({ to }) => to.includes(address)),
    connections: () => connections,
    greetings: () => [...greetings],
    refuse: (on) => void (refusing = on),
    loseReplies: (on) => void (losing = on),
    delay: (milliseconds) => void (pause = milliseconds),
    held: () => held.length,
    acceptOne: () => held.shift()?.(),
    hold: (on) => {
      holding = on;
      if (on) return;
      for (const accept of held) accept();
      held = [];
    },
    allowConnections: (allowed) => void (most = allowed),
    refuseEverySecond: (on) => void (refusingSecond = on),
    refuseForGood: (at) => void (refusingAt = at),
    refuseSender: (on) => void (refusingSender = on),
    requirePassword: (required) => void (password = required),
    closeConnections: () => close(() => true),
    hangBeforeData: (on) => void (isHanging = on),
    hanging: () => hanging,
    closeAfterMails: (on) => void (closing = on),
    present: (shown) => server.updateSecureContext(shown),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A mail server for all tests of the file or block that calls this. */
export function useMailServer(): TestMailServer {
  const server = mailServer();
  beforeAll(() => server.listen(0));
  afterAll(() => server.stop());
  return server;
}

/** An address of the envelope as it was on the wire: smtp-server decodes `xn--` domains. */
function asSent({ address }: { readonly address: string }): string {
  const [localPart = '', domain = ''] = address.split('@');
  return /^\p{ASCII}*$/u.test(domain) ? address : `${localPart}@${domainToASCII(domain)}`;
}

const failure = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode });

type ParsedMail = Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'raw'>;

export async function parseMail(content: Buffer): Promise<ParsedMail> {
  const { headers, text = '', html = '' } = await PostalMime.parse(content);
  return {
    headers: new Map(headers.map(({ key, value }) => [key, decodeWords(value)])),
    text,
    html,
    raw: content.toString('utf8'),
  };
}
