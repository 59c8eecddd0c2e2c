import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Settings } from '@app/config/settings';
import { CONCURRENT_MAILS } from '@app/platform/jobs/job-handler';
import { lazily } from '@app/platform/process/lazily';
import { asNodemailer, FolderTransport, type MailMessage, MailTransport } from './mail-transport';
import { isTurnedAway, SmtpConnections } from './smtp-connections';

/** One connection more is for urgent mails alone. */
const URGENT_CONNECTIONS = 1;

/** Mails of one connection. Servers limit them. */
const MAX_MESSAGES = 100;
/** Milliseconds for which a connection stays open without a mail. */
const MAX_IDLE = 30_000;
/** New tries of a mail whose connection closed before the server took anything of it. */
const MAX_REQUEUES = 2;

/** Milliseconds until a connection is ready. */
const CONNECTION_TIMEOUT = 10_000;
/** Milliseconds for one mail. A mail server that hangs must not hold a mail or the shutdown for long. */
const MAIL_TIMEOUT = 30_000;
/** Milliseconds of silence. Above the others, which end a mail or an idle connection first. */
const SILENCE_TIMEOUT = 35_000;

/** What a connection to a mail server needs to know. */
type MailSettings = Pick<Settings, 'mailFrom' | 'publicUrl'> & { readonly smtpUrl: string };

/**
 * The name in EHLO, unless `SMTP_URL` has a `name` (rule notifications 55). A container's own name has no
 * dot, and mail servers refuse the address that would stand in its place.
 */
function helloName({ publicUrl, mailFrom }: MailSettings): string {
  const { hostname } = new URL(publicUrl);
  const isName = hostname.includes('.') && isIP(hostname) === 0;
  return isName ? hostname : mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
}

const optionsOf = (settings: MailSettings) => ({
  // The parameters of the URL win.
  url: settings.smtpUrl,
  name: helloName(settings),
  connectionTimeout: CONNECTION_TIMEOUT,
  greetingTimeout: CONNECTION_TIMEOUT,
  socketTimeout: SILENCE_TIMEOUT,
});

/** Connects to a mail server and logs in there. Rejects if that fails. */
export async function checkMailServer(settings: MailSettings): Promise<void> {
  const { createTransport } = await import('nodemailer');
  await createTransport(optionsOf(settings)).verify();
}

interface Connections {
  readonly shared: SmtpConnections;
  readonly urgent: SmtpConnections;
}

/** Sends mails through the server of `SMTP_URL`, over connections that stay open. */
class SmtpTransport extends MailTransport {
  private opened: Connections | undefined;
  private readonly connections: () => Promise<Connections>;

  constructor(settings: MailSettings) {
    super();
    this.connections = lazily(async () => {
      const [{ createTransport }, { default: SmtpPool }] = await Promise.all([
        import('nodemailer'),
        import('nodemailer/lib/smtp-pool'),
      ]);
      const most = (maxConnections: number): SmtpConnections => {
        const limits = { maxConnections, maxMessages: MAX_MESSAGES, maxRequeues: MAX_REQUEUES };
        const pool = new SmtpPool({ ...optionsOf(settings), ...limits, idleTimeout: MAX_IDLE });
        return new SmtpConnections(createTransport(pool), pool, maxConnections);
      };
      return (this.opened = { shared: most(CONCURRENT_MAILS), urgent: most(URGENT_CONNECTIONS) });
    });
  }

  /** If the server turns away one kind of connection, the mail takes the other. */
  async deliver(message: MailMessage, isUrgent = false): Promise<void> {
    const { shared, urgent } = await this.connections();
    const [first, second] = isUrgent && urgent.hasRoom ? [urgent, shared] : [shared, urgent];
    const mail = asNodemailer(message);
    try {
      await first.send(mail, isUrgent, MAIL_TIMEOUT);
    } catch (error) {
      if (!isTurnedAway(error)) throw error;
      await second.send(mail, isUrgent, MAIL_TIMEOUT);
    }
  }

  override close(force = false): void {
    this.opened?.shared.close(force);
    this.opened?.urgent.close(force);
  }
}

/** SMTP, or the folder `mail` without `SMTP_URL`. */
export const mailTransport = ({
  smtpUrl,
  dataDir,
  ...names
}: Pick<Settings, 'smtpUrl' | 'dataDir' | 'mailFrom' | 'publicUrl'>): MailTransport =>
  smtpUrl === undefined
    ? new FolderTransport(join(dataDir, 'mail'))
    : new SmtpTransport({ smtpUrl, ...names });
