import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

const CAUSE =
  'every process that delivers on this database (WORKER=on) needs an address of this URL in WEBHOOK_NETWORKS; one with other settings may have taken it';

/** Where the command listens for webhooks, and the address that the deployment posts to. */
export interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** How long a message may take. */
  readonly seconds: number;
}

interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Receives the webhooks of a deployment. */
export class WebhookReceiver {
  private readonly messages: ReceivedMessage[] = [];
  private readonly server: Server;
  private isSilent = false;

  private constructor(
    private readonly options: ReceiverOptions,
    private readonly stopping: AbortSignal,
  ) {
    this.server = createServer((request, response) => {
      buffer(request).then(
        (body) => {
          this.messages.push({ headers: request.headers, text: body.toString() });
          response.writeHead(204).end();
        },
        () => response.destroy(),
      );
    });
  }

  static async open(options: ReceiverOptions, stopping: AbortSignal): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(options, stopping);
    await new Promise<void>((resolve, reject) => {
      receiver.server.once('error', reject);
      receiver.server.listen(options.port, options.host, resolve);
    });
    return receiver;
  }

  /** As the deployment answers it. */
  get url(): string {
    return new URL(this.options.url).href;
  }

  /** The type of the next message. Throws if none comes, or if the secret did not sign it. */
  async nextEvent(secret: string): Promise<string> {
    const { url } = this.options;
    // A deployment that could not reach this address once does not get the time again.
    const seconds = this.isSilent ? 0 : this.options.seconds;
    for (const end = performance.now() + seconds * 1000; this.messages.length === 0; await pause(100)) {
      if (this.stopping.aborted) throw new Error('interrupted');
      if (performance.now() > end) {
        this.isSilent = true;
        throw new Error(`no webhook came to ${url} within ${this.options.seconds} s: ${CAUSE}`);
      }
    }
    const { headers, text } = this.messages.shift() as ReceivedMessage;
    const event = new Webhook(secret).verify(text, headers as Record<string, string>);
    return (event as { readonly type: string }).type;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
