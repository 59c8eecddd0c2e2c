import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { TooBusy } from '../concurrency/concurrency-limiter';

/** Shorter responses are not counted: as many as there are connections take little memory. */
const MIN_COUNTED_BYTES = 16_384;

/**
 * Bytes of the responses that are written and not yet taken by their clients, of all and of one caller: some thirty
 * of the longest pages, of which one caller has eight. Memory holds a response about twice, as text and as bytes.
 */
const MAX_BYTES_IN_FLIGHT = 64_000_000;
const MAX_CALLER_BYTES_IN_FLIGHT = 16_000_000;

/** Seconds after which a refused client may ask again. */
const RETRY_AFTER = 5;

/** Bounds the memory of all responses under way; what is short still finds room where the largest find none. */
@Injectable()
export class ResponsesInFlight {
  private bytes = 0;
  private readonly ofCallers = new Map<string, number>();

  /**
   * Counts a response until its client has it or is gone.
   * @param caller whom the response counts for
   * @throws TooBusy where there is no room for it
   */
  add(response: Response, caller: string, bytes: number): void {
    // A client that is gone already takes nothing, and its response does not close once more.
    if (bytes < MIN_COUNTED_BYTES || response.destroyed) return;
    // A single response may be longer than a caller's part: it is then the only one.
    const own = this.ofCallers.get(caller) ?? 0;
    const isTooMuch =
      (this.bytes > 0 && this.bytes + bytes > MAX_BYTES_IN_FLIGHT) ||
      (own > 0 && own + bytes > MAX_CALLER_BYTES_IN_FLIGHT);
    if (isTooMuch) throw new TooBusy(RETRY_AFTER);
    this.count(caller, bytes);
    response.once('close', () => this.count(caller, -bytes));
  }

  private count(caller: string, bytes: number): void {
    this.bytes += bytes;
    const own = (this.ofCallers.get(caller) ?? 0) + bytes;
    if (own === 0) this.ofCallers.delete(caller);
    else this.ofCallers.set(caller, own);
  }
}
