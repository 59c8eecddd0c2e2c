import { createHash } from 'node:crypto';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { MAX_INTEGER } from '@app/platform/dto/field.decorators';
import { DEFAULT_RESULTS, type Found, MAX_RESULTS, type PageRequest } from './authzen.types';

/**
 * The place of a result in the order by organisation and id. A search that ignores organisations has 0 for the organisation.
 */
export interface SearchPlace {
  readonly organisationId: number;
  readonly id: number;
}

/** Which part of the results a request asks for. */
export interface Extent {
  readonly limit: number;
  /** The results after this place. */
  readonly after: SearchPlace;
}

const NO_TOKEN = fieldError(
  'INVALID',
  'page.token should be the next_token of an earlier page of the same search.',
);

const OTHER_LIMIT = fieldError('MISMATCH', 'page.limit should be that of the first page, or absent.');

/** Bytes of the digest that binds a token to its search. */
const DIGEST_LENGTH = 9;

/**
 * The tokens of one search. A token contains the last result and the limit, but no secret: a forged token only starts elsewhere
 * in results that the client may see anyway.
 */
export class SearchPages {
  private readonly digest: string;

  /** @param search the values that distinguish this search from others */
  constructor(...search: readonly string[]) {
    const hash = createHash('sha256').update(JSON.stringify(search));
    this.digest = hash.digest().subarray(0, DIGEST_LENGTH).toString('base64url');
  }

  extentOf({ limit, token }: PageRequest): Extent {
    const stored = token === undefined ? undefined : this.read(token);
    const wanted = limit === undefined ? undefined : Math.min(limit, MAX_RESULTS);
    if (stored !== undefined && wanted !== undefined && wanted !== stored.limit) {
      throw ValidationFailed.on('page', OTHER_LIMIT);
    }
    return {
      limit: Math.min(wanted ?? stored?.limit ?? DEFAULT_RESULTS, MAX_RESULTS),
      after: stored?.after ?? { organisationId: 0, id: 0 },
    };
  }

  /** Cuts results that were read with `limit + 1` to the page. */
  pageOf<Result>(
    places: readonly SearchPlace[],
    { limit }: Extent,
    resultOf: (place: SearchPlace) => Result,
  ): Found<Result> {
    const shown = places.slice(0, limit);
    const last = places.length > limit ? shown.at(-1) : undefined;
    const token =
      last && [this.digest, String(limit), String(last.organisationId), String(last.id)].join('.');
    return { results: shown.map(resultOf), nextToken: token ?? '' };
  }

  private read(token: string): Extent {
    const [digest, ...texts] = token.split('.');
    const numbers = texts.map(Number);
    const [limit = 0, organisationId = 0, id = 0] = numbers;
    const isWhole =
      numbers.length === 3 &&
      texts.every((text) => /^\d{1,10}$/.test(text)) &&
      Math.max(...numbers) <= MAX_INTEGER;
    if (digest !== this.digest || !isWhole || limit < 1) throw ValidationFailed.on('page', NO_TOKEN);
    return { limit, after: { organisationId, id } };
  }
}
