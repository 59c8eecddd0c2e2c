import { createHash } from 'node:crypto';
import { SetMetadata } from '@nestjs/common';
import type { Response } from 'express';

export const REVALIDATED_METADATA = 'wire:revalidated';

/** How a response that clients keep depends on the request. */
export interface Revalidation {
  /** Whether it is in the language that the request likes best, see `TheLanguage`. */
  readonly isTranslated: boolean;
}

/**
 * A response that its client may keep, and asks about before each use: where it is still the same, 304 says so without
 * a body. Only for what changes seldom and is the same for everybody who may read it.
 */
export const Revalidated = (how: Revalidation) => SetMetadata(REVALIDATED_METADATA, how);

/** Sets what a client needs to keep a response; express compares `If-None-Match` with the tag by itself. */
export function setValidator(response: Response, content: string): void {
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 27);
  response.setHeader('ETag', `"${tag}"`);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.vary('Accept, Accept-Language, Authorization');
}
