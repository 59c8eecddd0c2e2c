import { IsString } from 'class-validator';
import { normalisedAddress } from '@app/formats/ip-address';
import { field, TextField } from '@app/platform/dto/field.decorators';
import { refusing } from '@app/platform/dto/field-checks';
import { createShape, ResponseField, responseShape, RestrictedField } from '@app/platform/dto/shapes';
import { fieldError } from '@app/platform/errors/api-error';
import type { Introspection } from './introspection.types';

/** Maximum length of an IPv6 address as text. */
const MAX_ADDRESS_LENGTH = 45;

const NO_TOKEN = fieldError('WRONG_TYPE', 'This value should be a text, given once.');
const NO_ADDRESS = fieldError('INVALID_IP_ADDRESS', 'This value should be an IPv4 or IPv6 address.');

/** Whitelists have no zone index either. */
const isAddressOfClient = (text: string): boolean =>
  !text.includes('%') && normalisedAddress(text) !== undefined;

/** Body of POST, in JSON or as a form. */
class IntrospectDto {
  /**
   * The token is not converted or trimmed: a number is never a token, and white space belongs to the token.
   */
  @field(
    {
      required: true,
      description: 'The credential in question, without `Bearer`. It is neither stored nor logged',
    },
    { emptyIsAbsent: true, documentation: { type: 'string' }, checks: [IsString(refusing(NO_TOKEN))] },
  )
  token!: string;

  @TextField({
    max: MAX_ADDRESS_LENGTH,
    emptyIsAbsent: true,
    trim: true,
    rules: [{ name: 'isAddress', holds: isAddressOfClient, error: NO_ADDRESS }],
    description: 'The address of the client that presented it; without it, keys with a whitelist are refused',
    example: '192.0.2.7',
  })
  address?: string;

  /** RFC 7662 allows this hint, but one look-up finds every kind of token. */
  @field(
    { description: 'What the token may be; ignored', example: 'access_token' },
    { emptyIsAbsent: true, documentation: { type: 'string' } },
  )
  token_type_hint?: unknown;
}

/** The actor who uses the credential in the name of its subject (RFC 8693, section 4.1). */
class ActorOfTokenResponse {
  @ResponseField({ description: 'Identifier of the staff member as text', example: '2' }) sub!: string;
}

/** Response of POST (RFC 7662). For a token that is not valid it contains only `active`. */
export class IntrospectionResponse {
  @ResponseField({ type: 'boolean', description: 'Whether the credential counts right now', example: true })
  active!: boolean;

  @RestrictedField({
    description: 'What the credential is',
    enum: ['login', 'api_key', 'service_key'],
    example: 'login',
  })
  token_type?: string;

  @RestrictedField({ description: 'Identifier of the user as text, or `servicekey:<id>`', example: '7' })
  sub?: string;

  @RestrictedField({ description: 'User name, or `servicekey:<id>`', example: 'jan@example.com' })
  username?: string;

  @RestrictedField({ type: 'integer', description: 'When it was made, in Unix seconds', example: 1767225600 })
  iat?: number;

  @RestrictedField({
    type: 'integer',
    description: 'When it ends at the latest, in Unix seconds',
    example: 1769817600,
  })
  exp?: number;

  @RestrictedField({
    type: 'integer',
    description: 'Identifier of the organisation of the user or service key',
    example: 12,
  })
  organisationId?: number;

  @RestrictedField({ type: ['string'], description: 'Roles of the user', example: ['ROLE_CUSTADMIN'] })
  roles?: string[];

  @RestrictedField({ type: 'boolean', description: 'Whether it only allows reading', example: false })
  readOnly?: boolean;

  @RestrictedField({
    type: 'boolean',
    description: 'Whether two-factor login of the user is enabled',
    example: true,
  })
  secondFactor?: boolean;

  @RestrictedField({
    type: ['string'],
    description: 'Operations and groups of a service key; absent for others',
    example: ['contacts.*'],
  })
  operations?: string[];

  @RestrictedField({
    type: ActorOfTokenResponse,
    description: 'The staff member behind a support login; absent for others',
  })
  act?: ActorOfTokenResponse;
}

/** Request and response of introspection, equal in both variants. The service makes the response itself. */
export class IntrospectionShapes {
  readonly request = createShape(
    IntrospectDto,
    (dto): Introspection => ({
      address: dto.address === undefined ? undefined : normalisedAddress(dto.address),
    }),
    // OAuth clients also send `client_id` and `client_secret` (RFC 6749, section 2.3.1).
    { ignoresUnknown: true },
  );
  readonly answer = responseShape(IntrospectionResponse, (made: IntrospectionResponse) => made);
}
