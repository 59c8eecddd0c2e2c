import { parse, type ParsedUrlQuery } from 'node:querystring';
import { composed } from '../dto/composed-text';

/** The parameters of a query string, their texts composed as those of bodies are (rule requests 22). */
export function composedQuery(text?: string | null): ParsedUrlQuery {
  const query = parse(text ?? '');
  // Only what is encoded can lie beyond ASCII.
  if (text?.includes('%') !== true) return query;
  for (const [name, value] of Object.entries(query))
    query[name] = Array.isArray(value) ? value.map(composed) : value && composed(value);
  return query;
}
