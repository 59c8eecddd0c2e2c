import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

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

  get url(): string {
    return this.options.url;
  }

  /** The type of the next message. Throws if none comes, or if the secret did not sign it. */
  async nextEvent(secret: string): Promise<string> {
    const { seconds, url } = this.options;
    for (const end = performance.now() + seconds * 1000; this.messages.length === 0; await pause(100)) {
      if (this.stopping.aborted) throw new Error('interrupted');
      if (performance.now() > end) throw new Error(`no webhook came to ${url} within ${seconds} s`);
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
