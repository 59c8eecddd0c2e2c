import { Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';

/** What the running variant does with every request under `/v1`. Its module fills this before the service listens. */
@Injectable()
export class InterfaceSteps {
  /** Before CORS: for preflights too. */
  readonly first: RequestHandler[] = [];

  /** Further headers that browsers may read. */
  readonly exposedHeaders: string[] = [];

  /** Before path, credential and body are looked at: each may respond. */
  readonly gates: RequestHandler[] = [];
}
