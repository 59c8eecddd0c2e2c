import type { Request } from 'express';

/**
 * Whether a request wants csv instead of JSON: `?format=csv`, or an `Accept` header that names `text/csv` and
 * likes nothing that JSON is better. `?format=json` has the last word, and whatever else is asked for is JSON.
 */
export function asksForCsv(request: Pick<Request, 'method' | 'query' | 'headers' | 'accepts'>): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const { format } = request.query;
  if (format === 'csv') return true;
  if (format === 'json') return false;
  const accepted = request.headers.accept;
  if (accepted === undefined || !accepted.toLowerCase().includes('text/csv')) return false;
  return request.accepts(['json', 'text/csv']) === 'text/csv';
}
