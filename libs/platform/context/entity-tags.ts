import { BadRequest } from '../errors/api-error';

/** The strong entity tags of `If-Match`, without quotes; `*` stands for any. */
export type EntityTags = '*' | readonly string[];

interface EntityTag {
  readonly isWeak: boolean;
  /** The tag without quotes. */
  readonly opaque: string;
}

/** One tag or none, with the comma after it (RFC 9110, sections 5.6.1 and 8.8.3). Tags may contain commas. */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** The tags of a list; undefined for an empty or malformed list. */
function tagsIn(header: string): readonly EntityTag[] | undefined {
  const tags: EntityTag[] = [];
  for (ELEMENT.lastIndex = 0; ELEMENT.lastIndex < header.length;) {
    const found = ELEMENT.exec(header);
    if (found === null) return undefined;
    const [, weak, opaque] = found;
    if (opaque !== undefined) tags.push({ isWeak: weak !== undefined, opaque });
  }
  return tags.length === 0 ? undefined : tags;
}

/** Whether `If-None-Match` contains the tag, by weak comparison. A malformed header contains none. */
export const isNamed = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || tagsIn(header)?.some(({ opaque }) => opaque === tag) === true);

/**
 * Reads `If-Match`, which compares strongly: weak tags match nothing. Throws 400 for malformed text. Ignoring it would lose an
 * update, and answering 412 would make its client retry forever.
 */
export function readIfMatch(header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = tagsIn(header);
  if (tags === undefined) throw malformedIfMatch();
  return tags.filter(({ isWeak }) => !isWeak).map(({ opaque }) => opaque);
}

export const malformedIfMatch = (): BadRequest =>
  new BadRequest('If-Match should be * or values of ETag headers, each in its quotes');
