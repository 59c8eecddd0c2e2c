import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { KeptConnection } from './kept-connection';
import { type AllowedAddresses, ReceiverAddresses, UnreachableReceiver } from './receiver-addresses';
import { secondsAskedFor } from './retry-after';

/** Milliseconds for one try, including name look-up, connection and answer (rule events 33). */
const MAX_TRY_TIME = 10_000;
/** Bytes that are read from an answer, and characters of it that are stored (rule events 37). */
const MAX_BYTES_READ = 4096;
const MAX_CHARACTERS_KEPT = 200;

/** Outcome of one try. */
export interface TryOutcome {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Error without text of the receiver; empty after a success. */
  readonly fault: string;
  /** The error with the beginning of the receiver's text. */
  readonly error: string;
  /** Milliseconds. */
  readonly duration: number;
  /** Seconds for which the receiver wants no further try of this message; 0 if it does not say. */
  readonly pause: number;
}

export interface WebhookMessage {
  /** The organisation of the webhook. */
  readonly organisationId: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Posts messages to untrusted receivers. */
@Injectable()
export class WebhookSender {
  constructor(private readonly addresses: ReceiverAddresses) {}

  async post(message: WebhookMessage, connection: KeptConnection): Promise<TryOutcome> {
    const begun = performance.now();
    const signal = AbortSignal.timeout(MAX_TRY_TIME);
    const answer = await this.answerTo(message, connection, signal).catch((error: unknown) => {
      const fault = signal.aborted ? 'No answer within 10 seconds' : textOf(error);
      return { status: 0, fault, error: fault, pause: 0 };
    });
    return { ...answer, duration: Math.round(performance.now() - begun) };
  }

  private async answerTo(
    { organisationId, url, headers, body }: WebhookMessage,
    connection: KeptConnection,
    signal: AbortSignal,
  ): Promise<Omit<TryOutcome, 'duration'>> {
    const target = new URL(url);
    const addresses = await this.addresses.allowed(target, organisationId, signal);
    const response = await responseTo(target, { headers, body, addresses, connection, signal });
    const { statusCode: status = 0 } = response;
    if (status >= 200 && status < 300) {
      connection.keepAfter(response, MAX_BYTES_READ);
      return { status, fault: '', error: '', pause: 0 };
    }
    try {
      const fault = `Answer ${status}`;
      const error = `${fault}: ${await beginningOf(response)}`.replace(/: $/, '');
      return { status, fault, error, pause: secondsAskedFor(status, response.headers['retry-after']) };
    } finally {
      response.destroy();
    }
  }
}

interface Posting extends Pick<WebhookMessage, 'headers' | 'body'> {
  readonly addresses: AllowedAddresses;
  readonly connection: KeptConnection;
  readonly signal: AbortSignal;
}

/** The receiver closed a kept connection while the next message was on its way. */
class ClosedMeanwhile extends Error {}

/** Sends again on a new connection if the kept one has ended. */
function responseTo(target: URL, use: Posting): Promise<IncomingMessage> {
  return answerOn(target, use).catch((error: unknown) => {
    if (!(error instanceof ClosedMeanwhile)) throw error;
    use.connection.close();
    return answerOn(target, use);
  });
}

/**
 * Connects to one of the allowed addresses; SNI and Host contain the name. Follows no
 * redirect and uses no proxy.
 */
function answerOn(
  target: URL,
  { headers, body, addresses, connection, signal }: Posting,
): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_name, { all }, callback) => {
    const [{ address, family }] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, address, family);
  };
  return new Promise((resolve, reject) => {
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: connection.agentFor(target, addresses),
        lookup,
        rejectUnauthorized: true,
        signal,
      },
      resolve,
    )
      .on('error', (error) => reject(request.reusedSocket && isEnd(error) ? new ClosedMeanwhile() : error))
      // After 101 Node closes the request without an error. In other cases the promise is settled already.
      .on('close', () => reject(new Error('No answer')));
    request.end(body);
  });
}

const isEnd = ({ code = '' }: NodeJS.ErrnoException): boolean => ['ECONNRESET', 'EPIPE'].includes(code);

/** The beginning of an answer, in one line, as far as it arrives in time. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_BYTES_READ) break;
    }
  } catch {
    // The connection broke or the time is over. The status counts anyway.
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_BYTES_READ).toString('utf8');
  return [...text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, MAX_CHARACTERS_KEPT).join('');
}

/** The text contains no address, because it may be an internal one. */
function textOf(error: unknown): string {
  if (error instanceof UnreachableReceiver) return error.message;
  const { code = 'no answer' } = error as { readonly code?: string };
  return `The connection failed: ${code}`;
}
