import { normalisedAddress } from '@app/formats/ip-address';
import { IdentifierField, TextField, WordField } from '@app/platform/dto/field.decorators';
import { createShape } from '@app/platform/dto/shapes';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';

/** A request to explain, made by a user (`userId`) or with a credential (`hash`). */
export interface ExplanationRequest {
  readonly method: string;
  readonly path: string;
  readonly userId: number | undefined;
  /** Never stored or logged. */
  readonly hash: string | undefined;
  /** Canonical text. Undefined ignores the whitelist of an API key. */
  readonly address: string | undefined;
}

/** Maximum length of a path. */
const MAX_PATH_LENGTH = 2000;

/** Maximum length of a credential. All credentials of the service are shorter. */
const MAX_HASH_LENGTH = 300;

/** Maximum length of an IPv6 address as text. */
const MAX_ADDRESS_LENGTH = 45;

const NO_PATH = fieldError(
  'INVALID',
  'This value should be a path: a slash first, and no white space in it.',
);
const NO_ADDRESS = fieldError('INVALID_IP_ADDRESS', 'This value should be an IPv4 or IPv6 address.');
const NOBODY = fieldError('REQUIRED', 'Either userId or hash should be given.');
const BOTH = fieldError('MISMATCH', 'Only one of userId and hash should be given.');

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
    rules: [{ name: 'isPath', holds: (text) => /^\/[^\s\\]*$/.test(text), error: NO_PATH }],
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
    rules: [{ name: 'isAddress', holds: (text) => normalisedAddress(text) !== undefined, error: NO_ADDRESS }],
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
