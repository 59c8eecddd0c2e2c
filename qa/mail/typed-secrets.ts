import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { secretIn, tokenIn, type MailedSecret, type Mails } from './mails';

const WORDS: Readonly<Record<MailedSecret, string>> = {
  invitationToken: 'token in the invitation',
  resetToken: 'token in the recovery mail',
  documentHash: 'hash at the end of the link to a document',
  confirmationCode: 'confirmation code in the recovery mail',
};

/** Asks whoever sits before it for each secret, once, by the address that the mail went to. */
export class TypedSecrets implements Mails {
  readonly typed = true;
  private readonly answers = new Map<string, string>();
  private readonly lines: AsyncIterator<string>;
  private readonly reader: Interface;

  constructor(
    input: Readable,
    private readonly output: Writable,
    stopping: AbortSignal,
  ) {
    this.reader = createInterface({ input });
    this.lines = this.reader[Symbol.asyncIterator]();
    stopping.addEventListener('abort', () => this.reader.close(), { once: true });
  }

  async mailedSecret(address: string, secret: MailedSecret): Promise<string> {
    const known = this.answers.get(`${secret} ${address}`);
    if (known !== undefined) return known;
    this.output.write(`The ${WORDS[secret]} to ${address}: `);
    const line = await this.lines.next();
    if (line.done === true) throw new Error(`standard input ended before the ${WORDS[secret]} to ${address}`);
    // A whole link may be pasted too.
    const link = secret === 'documentHash' ? secretIn(line.value, secret) : tokenIn(line.value);
    const typed = link ?? line.value.trim();
    this.answers.set(`${secret} ${address}`, typed);
    return typed;
  }

  close(): Promise<void> {
    this.reader.close();
    return Promise.resolve();
  }
}
