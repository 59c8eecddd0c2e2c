import { fault, ValidationFailed } from '@app/platform/errors/api-error';
import { normalisedAddress } from '@app/platform/addresses/ip-address';
import { IdentifierField, TextField, WordField } from '@app/platform/dto/field.decorators';
import { createShape } from '@app/platform/dto/shapes';

/** A request to explain, made by a user (`userId`) or with a credential (`hash`). */
export interface ExplanationRequest {
  readonly method: string;
  readonly path: string;
  readonly userId: number | undefined;
  /** Never stored, never logged. */
  readonly hash: string | undefined;
  /** Canonical text; undefined skips the whitelist of an API key. */
  readonly address: string | undefined;
}

/** Longest path that is explained. */
const MAX_PATH_LENGTH = 2000;

/** Longest credential that is explained; every credential of the service is shorter. */
const MAX_HASH_LENGTH = 300;

/** Longest text of an IPv6 address. */
const MAX_ADDRESS_LENGTH = 45;

const NO_PATH = fault('INVALID', 'This value should be a path: a slash first, and no white space in it.');
const NO_ADDRESS = fault('INVALID_IP_ADDRESS', 'This value should be an IPv4 or IPv6 address.');
const NOBODY = fault('REQUIRED', 'Either userId or hash should be given.');
const BOTH = fault('MISMATCH', 'Only one of userId and hash should be given.');

/** Body of POST. */
class ExplainAccessDto {
  @WordField({
    words: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    required: true,
    description: 'Method of the request',
    example: 'GET',
  })
  method!: string;

  @TextField({
    max: MAX_PATH_LENGTH,
    required: true,
    check: (text) => (/^\/[^\s\\]*$/.test(text) ? undefined : NO_PATH),
    description: 'Path of the request, with `/v1` or without; what follows a `?` is passed over',
    example: '/organisations/1/users',
  })
  path!: string;

  @IdentifierField({
    declaredAs: 'integer',
    description: 'The user who would make it with a fresh login; either this or `hash`',
    example: 1,
  })
  userId?: number;

  @TextField({
    max: MAX_HASH_LENGTH,
    emptyIsAbsent: true,
    description:
      'The credential that it would carry; either this or `userId`. It is neither stored nor logged',
  })
  hash?: string;

  @TextField({
    max: MAX_ADDRESS_LENGTH,
    emptyIsAbsent: true,
    trim: true,
    check: (text) => (normalisedAddress(text) === undefined ? NO_ADDRESS : undefined),
    description: 'The address that it would come from; without it the whitelist of an API key is not judged',
  })
  address?: string;
}

export const explainAccessShape = createShape(ExplainAccessDto, (dto): ExplanationRequest => {
  if (dto.userId === undefined && dto.hash === undefined) throw ValidationFailed.on('userId', NOBODY);
  if (dto.userId !== undefined && dto.hash !== undefined) throw ValidationFailed.on('hash', BOTH);
  return {
    method: dto.method,
    path: dto.path,
    userId: dto.userId,
    hash: dto.hash,
    address: dto.address === undefined ? undefined : normalisedAddress(dto.address),
  };
});
