import { Injectable, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { ConcurrencyLimiter } from '../concurrency/concurrency-limiter';

/**
 * Responses under way that read on while they are written, of all and of one caller (decisions.md section 11): each holds
 * a batch, and now and then a connection of the pool. More wait for so many milliseconds, and so many of them.
 */
const MAX_LONG_RESPONSES = 8;
const MAX_LONG_RESPONSES_OF_CALLER = 2;
const MAX_WAITING_RESPONSES = 100;
const MAX_PLACES_OF_CALLER = 40;
const MAX_RESPONSE_WAIT = 5000;

const readingOn = new WeakSet<StreamableFile>();

/** Marks a response that reads lists of its records while it is written, beside the rows of its page. */
export function markReadsOn(file: StreamableFile): StreamableFile {
  readingOn.add(file);
  return file;
}

/** Whether the response is marked so. */
export const readsOn = (file: StreamableFile): boolean => readingOn.has(file);

/** Bounds the responses that are read from the database for as long as their clients take. */
@Injectable()
export class LongResponses {
  private readonly places = new ConcurrencyLimiter({
    limit: MAX_LONG_RESPONSES,
    maxWaiting: MAX_WAITING_RESPONSES,
    maxWaitMs: MAX_RESPONSE_WAIT,
  });

  /**
   * Resolves when the response may begin; it keeps its place until its client has it or is gone.
   * @throws TooBusy where no place becomes free
   */
  enter(response: Response, caller: string): Promise<void> {
    const share = { key: caller, maxRunning: MAX_LONG_RESPONSES_OF_CALLER, maxPlaces: MAX_PLACES_OF_CALLER };
    return new Promise((resolve, reject) => {
      this.places
        .run(
          async () => {
            resolve();
            if (!response.destroyed) await new Promise((close) => response.once('close', close));
          },
          { turns: [caller], shares: [share] },
        )
        .catch(reject);
    });
  }
}
