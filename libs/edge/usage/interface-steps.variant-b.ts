import { Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';

/**
 * What the running variant adds to every request under `/v1`. Its module fills this in
 * before the service listens.
 */
@Injectable()
export class InterfaceSteps {
  /** Run before CORS, so also for preflight requests. */
  readonly first: RequestHandler[] = [];

  /** Additional headers that browsers may read. */
  readonly exposedHeaders: string[] = [];
}
