import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AllowedAddresses } from './receiver-addresses';

/**
 * The connection of a turn. A turn connects and negotiates TLS once. The next message uses the connection
 * again, as long as the receiver's name has the same addresses and the previous answer has ended.
 */
export class KeptConnection {
  private agent: HttpAgent | HttpsAgent | undefined;
  private madeFor = '';
  private answer: IncomingMessage | undefined;

  /** @param addresses the present addresses of the name; the connection leads to an earlier one */
  agentFor({ protocol, origin }: URL, addresses: AllowedAddresses): HttpAgent | HttpsAgent {
    const wanted = [origin, ...addresses.map(({ address }) => address).sort()].join(' ');
    if (wanted !== this.madeFor || this.answer?.complete === false) this.close();
    this.madeFor = wanted;
    const Agent = protocol === 'https:' ? HttpsAgent : HttpAgent;
    return (this.agent ??= new Agent({ keepAlive: true }));
  }

  /** Reads the rest of an answer, at most `maxBytes`, because the next answer follows on the connection. */
  keepAfter(answer: IncomingMessage, maxBytes: number): void {
    this.answer = answer;
    let bytes = 0;
    answer
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) answer.destroy();
      })
      // The status counts, even if the rest of the answer fails.
      .on('error', () => undefined);
  }

  close(): void {
    this.agent?.destroy();
    this.agent = undefined;
  }
}
