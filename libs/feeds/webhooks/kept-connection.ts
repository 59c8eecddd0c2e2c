import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { JudgedAddresses } from './receiver-addresses';

/**
 * The connection of a turn. The next message of the webhook uses it again, so that a turn connects and agrees on TLS once, as
 * long as the name of the receiver still has the same addresses and the answer before has ended.
 */
export class KeptConnection {
  private agent: HttpAgent | HttpsAgent | undefined;
  private madeFor = '';
  private answer: IncomingMessage | undefined;

  /** @param addresses those that the name has now, because a connection leads to an address that it had earlier */
  agentFor({ protocol, origin }: URL, addresses: JudgedAddresses): HttpAgent | HttpsAgent {
    const wanted = [origin, ...addresses.map(({ address }) => address).sort()].join(' ');
    if (wanted !== this.madeFor || this.answer?.complete === false) this.close();
    this.madeFor = wanted;
    const Agent = protocol === 'https:' ? HttpsAgent : HttpAgent;
    return (this.agent ??= new Agent({ keepAlive: true }));
  }

  /** Reads the rest of an answer, at most so many bytes, because the next answer comes after it. */
  keepAfter(answer: IncomingMessage, maxBytes: number): void {
    this.answer = answer;
    let bytes = 0;
    answer
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) answer.destroy();
      })
      // The status counts, whatever becomes of the rest.
      .on('error', () => undefined);
  }

  close(): void {
    this.agent?.destroy();
    this.agent = undefined;
  }
}
