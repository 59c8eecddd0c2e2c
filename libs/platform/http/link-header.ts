import type { Response } from 'express';

/**
 * Puts a link before the links that the response has. They share one line: simple clients read one line and its first link.
 */
export function addLink(response: Response, link: string): void {
  const present = response.getHeader('Link');
  response.setHeader('Link', present === undefined ? link : `${link}, ${String(present)}`);
}
