import type { SendMailOptions, Transporter } from 'nodemailer';
import type { default as SmtpPool, SMTPPoolOptions as SmtpPoolOptions } from 'nodemailer/lib/smtp-pool';

/** Milliseconds after which twice as many connections are asked for again. */
const MORE_AFTER = 30_000;

/** Refusals of a connection after which a mail counts as not delivered. */
const MAX_REFUSALS = 3;

/** Commands of the mail itself. Whatever fails before them concerns the connection. */
const OF_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** What nodemailer knows about a failure. */
interface SmtpFailure {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/**
 * Whether the server turned the connection away for now (421, 4xx, or closed without a word), before it took
 * anything of the mail.
 */
export function isTurnedAway(error: unknown): boolean {
  const { code, command = '', responseCode } = (error ?? {}) as SmtpFailure;
  if (responseCode === undefined) return code === 'ECONNECTION' && command === '';
  return responseCode >= 400 && responseCode < 500 && !OF_THE_MAIL.has(command);
}

/**
 * Whether the server refused the recipient or the contents for good (5xx to RCPT or DATA). What it refuses
 * before concerns the sender or the connection, which an operator can mend.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { command = '', responseCode } = (error ?? {}) as SmtpFailure;
  return responseCode !== undefined && responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command);
}

/** Failures of this process, by the code of the server's answer. */
const failures = new Map<string, number>();
const pools = new Set<SmtpConnections>();

/** Failed tries of mails by the code of the answer; `none` without an answer. */
export const mailFailures = (): ReadonlyMap<string, number> => failures;

/** The connections to the mail server of this process: those in use, and how many the server allows now. */
export function mailConnections(): { readonly busy: number; readonly most: number } {
  const all = [...pools];
  return {
    busy: all.reduce((sum, { busy }) => sum + busy, 0),
    most: all.reduce((sum, { most }) => sum + most, 0),
  };
}

/** With the code of nodemailer's own timeouts. */
const outOfTime = (cause: unknown): Error =>
  Object.assign(new Error('The mail server did not answer in time', { cause }), { code: 'ETIMEDOUT' });

/**
 * Connections to a mail server, and as many mails at once. If the server turns one away while others stand,
 * there are fewer of them, and twice as many again each half minute; the mail waits for one that stands.
 */
export class SmtpConnections {
  private sending = 0;
  private readonly urgent: (() => void)[] = [];
  private readonly others: (() => void)[] = [];
  private fewer: { readonly most: number; readonly since: number } | undefined;

  constructor(
    private readonly transporter: Transporter<unknown, SmtpPoolOptions>,
    private readonly pool: SmtpPool,
    private readonly max: number,
  ) {
    pools.add(this);
  }

  /** Each mail under way has a connection of its own, or waits for one that is being opened. */
  get busy(): number {
    return this.sending;
  }

  /** How many there may be now; 0 if the server turned the only one away. */
  get most(): number {
    if (this.fewer === undefined) return this.max;
    const { most, since } = this.fewer;
    const periods = Math.floor((performance.now() - since) / MORE_AFTER);
    return Math.min(this.max, (most + 1) * 2 ** periods - 1);
  }

  get hasRoom(): boolean {
    return this.sending < this.most;
  }

  /**
   * Rejects as nodemailer does, and after `timeout` milliseconds on a connection. Urgent mails wait
   * before others.
   */
  async send(mail: SendMailOptions, isUrgent: boolean, timeout: number): Promise<void> {
    for (let refusals = 1; ; refusals++) {
      await this.enter(isUrgent);
      try {
        await this.transporter.sendMail({ ...mail, signal: AbortSignal.timeout(timeout) });
        return;
      } catch (error) {
        const answer = String((error as SmtpFailure).responseCode ?? 'none');
        failures.set(answer, (failures.get(answer) ?? 0) + 1);
        if ((error as SmtpFailure).code === 'EABORT') throw outOfTime(error);
        if (!isTurnedAway(error)) throw error;
        const established = this.sending - 1;
        this.fewer = { most: established, since: performance.now() };
        if (established === 0 || refusals === MAX_REFUSALS) throw error;
      } finally {
        this.leave();
      }
    }
  }

  /** Closes idle connections; with `force` the others too, and rejects their mails. */
  close(force: boolean): void {
    pools.delete(this);
    this.pool.close({ force });
  }

  private enter(isUrgent: boolean): Promise<void> | undefined {
    if (this.sending < Math.max(1, this.most)) {
      this.sending++;
      return undefined;
    }
    return new Promise((resolve) => (isUrgent ? this.urgent : this.others).push(resolve));
  }

  private leave(): void {
    this.sending--;
    while (this.sending < Math.max(1, this.most)) {
      const next = this.urgent.shift() ?? this.others.shift();
      if (next === undefined) return;
      this.sending++;
      next();
    }
  }
}
