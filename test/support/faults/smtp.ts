import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { useMade } from '../service/service';

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
  /** Turns every mail away with 451 until it is called with false. */
  refuse(on: boolean): void;
  /** Keeps every mail but replies with 451, as when the reply is lost on the way, until it is called with false. */
  loseReplies(on: boolean): void;
  /** Milliseconds before a mail is accepted. */
  delay(milliseconds: number): void;
  /** Leaves every mail without a reply until it is called with false. */
  hold(on: boolean): void;
  stop(): Promise<void>;
}

/** Starts one on this machine; port 0 takes a free one. */
export async function startMailServer(port = 0): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  let refusing = false;
  let losing = false;
  let pause = 0;
  let holding = false;
  let held: (() => void)[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onConnect: (_session, callback) => {
      connections += 1;
      callback(null);
    },
    onMailFrom: (_address, _session, callback) => {
      callback(refusing ? temporaryFailure() : null);
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const accept = (): void => {
          const { mailFrom, rcptTo } = session.envelope;
          const from = mailFrom === false ? '' : mailFrom.address;
          mails.push({ from, to: rcptTo.map(({ address }) => address), ...parseMail(Buffer.concat(chunks)) });
          callback(losing ? temporaryFailure() : null);
        };
        if (holding) held.push(accept);
        else setTimeout(accept, pause);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    mailsTo: (address) => mails.filter(({ to }) => to.includes(address)),
    connections: () => connections,
    refuse: (on) => void (refusing = on),
    loseReplies: (on) => void (losing = on),
    delay: (milliseconds) => void (pause = milliseconds),
    hold: (on) => {
      holding = on;
      if (on) return;
      for (const accept of held) accept();
      held = [];
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A mail server for all tests of the file or block that calls this. */
export function useMailServer(): TestMailServer {
  const server = useMade(() => startMailServer());
  afterAll(() => server.stop());
  return server;
}

const temporaryFailure = (): Error => Object.assign(new Error('try again later'), { responseCode: 451 });

type ParsedMail = Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'raw'>;

/** Enough of MIME for the mails of this service: headers, and text and HTML side by side. */
export function parseMail(content: Buffer): ParsedMail {
  const raw = content.toString('latin1');
  const { headers, body } = headersAndBody(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1];
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1);
  const decoded = new Map<string, string>();
  for (const part of parts) {
    const { headers: ofPart, body: encoded } = headersAndBody(part.replace(/^\r\n/, ''));
    const type = ofPart.get('content-type')?.split(';')[0] ?? 'text/plain';
    decoded.set(type, decodedBody(encoded, ofPart.get('content-transfer-encoding')));
  }
  return {
    headers,
    text: decoded.get('text/plain') ?? '',
    html: decoded.get('text/html') ?? '',
    raw: content.toString('utf8'),
  };
}

function headersAndBody(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const headers = new Map<string, string>();
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim()));
  }
  return { headers, body: raw.slice(end + 4) };
}

/** RFC 2047. */
function decodedWords(value: string): string {
  const joined = value.replaceAll(/\?=\s+=\?/g, '?==?');
  return joined.replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
    encoding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64').toString('utf8')
      : fromQuotedPrintable(text.replaceAll('_', ' ')),
  );
}

function decodedBody(body: string, encoding = '7bit'): string {
  if (encoding.toLowerCase() === 'quoted-printable') return fromQuotedPrintable(body);
  return Buffer.from(body, encoding.toLowerCase() === 'base64' ? 'base64' : 'latin1').toString('utf8');
}

/** RFC 2045 section 6.7. */
function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
