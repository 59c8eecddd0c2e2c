import { BadRequest } from '../errors/api-error';

/** The entity tags of `If-Match`, without quotes and `W/`; `*` stands for any. */
export type EntityTags = '*' | readonly string[];

/** One tag or none, with the comma after it (RFC 9110, sections 5.6.1 and 8.8.3). Tags may contain commas. */
const ELEMENT = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/**
 * What proxies append to the tag of a response that they compress: `-gzip` (Apache, Caddy, lighttpd),
 * `--gzip` (Jetty), `;gz` (LiteSpeed). Only encodings, because a tag of our own may end in a word.
 */
const ENCODING = /^(?:--?|;)(?:x-)?(?:gzip|gz|br|zstd|deflate|compress);*$/i;

/** The tags of a list; undefined for an empty or malformed list. */
function tagsIn(header: string): readonly string[] | undefined {
  const tags: string[] = [];
  for (ELEMENT.lastIndex = 0; ELEMENT.lastIndex < header.length;) {
    const found = ELEMENT.exec(header);
    if (found === null) return undefined;
    const [, opaque] = found;
    if (opaque !== undefined) tags.push(opaque);
  }
  return tags.length === 0 ? undefined : tags;
}

/** Whether tags of a request name a tag of ours, as proxies hand it over. */
export const namesTag = (tags: EntityTags, tag: string): boolean =>
  tags === '*' ||
  tags.some((sent) => sent === tag || (sent.startsWith(tag) && ENCODING.test(sent.slice(tag.length))));

/** Whether `If-None-Match` contains the tag. A malformed header contains none. */
export const isNamed = (header: string | undefined, tag: string): boolean =>
  header !== undefined && namesTag(header.trim() === '*' ? '*' : (tagsIn(header) ?? []), tag);

/**
 * Reads `If-Match`. A weak tag counts, unlike in RFC 9110: proxies that compress weaken ours, and their
 * clients could never write (rule idempotency 31). Throws 400 for malformed text. Ignoring it would lose an
 * update, and answering 412 would make its client retry forever.
 */
export function readIfMatch(header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = tagsIn(header);
  if (tags === undefined) throw malformedIfMatch();
  return tags;
}

export const malformedIfMatch = (): BadRequest =>
  new BadRequest('If-Match should be * or values of ETag headers, each in its quotes');
