import type { FieldDescription } from '@app/platform/dto/described-fields';
import { field, TextField } from '@app/platform/dto/field.decorators';
import { HasNoFaults } from '@app/platform/dto/field-checks';
import { createShape, updateShape } from '@app/platform/dto/shapes';
import { isBlank, WORDS_RULES } from '@app/platform/dto/text-rules';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';
import { DESCRIPTION_MAX_LENGTH, parsePublicKey, PUBLIC_KEY_MAX_BYTES, type PublicKey } from '../public-key';
import type { SshKeyInput } from '../ssh-key.types';

/** Describes the fields of an SSH key, in requests and responses. */
export const SSH_KEY = {
  id: { type: 'integer', description: 'Identifier of the key', example: 3 },
  description: { description: 'What the key is called, for people', example: 'Laptop of Jan' },
  content: {
    description:
      'The public key in the OpenSSH one-line format: type, base64, comment. Type and base64 are unique in the whole ' +
      'service; no DSA, RSA from 2048 bits',
    example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILM+rvN+ot98qgEN796jTiQfZfG1KaT0PtFDJ/XFSqti jan@laptop',
  },
  status: { description: 'Status of the key, which is there', example: 'ok' },
  fingerprint: {
    description: 'MD5 of the key, colon-separated hexadecimal digits',
    example: '70:9f:bf:7d:c4:db:d3:a1:70:69:98:ff:30:c4:7a:6b',
  },
  organisation: { description: 'The organisation of the key, or of its user' },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** The error of an unreadable key. It is a class, so that no value of a body can imitate it. */
class UnreadableKey {
  constructor(readonly error: FieldError) {}
}

function readKey(value: unknown): PublicKey | UnreadableKey {
  if (typeof value !== 'string')
    return new UnreadableKey(fieldError('WRONG_TYPE', 'This value should be a string.'));
  const key = parsePublicKey(value);
  return 'error' in key ? new UnreadableKey(key.error) : key;
}

/** A public key in the OpenSSH one-line format. The DTO contains the parsed key. */
export const PublicKeyField = (): PropertyDecorator =>
  field(
    { required: true, ...SSH_KEY.content },
    {
      emptyIsAbsent: false,
      coerce: readKey,
      documentation: { type: 'string', maxLength: PUBLIC_KEY_MAX_BYTES },
      checks: [HasNoFaults('isPublicKey', (value) => (value instanceof UnreadableKey ? [value.error] : []))],
    },
  );

/** Body of POST. */
class CreateSshKeyDto {
  @PublicKeyField() content!: PublicKey;

  @TextField({
    max: DESCRIPTION_MAX_LENGTH,
    rules: WORDS_RULES,
    description: "Without one: the key's comment, or its type and the start of its fingerprint",
    example: 'Laptop of Jan',
  })
  description?: string;
}

export const createSshKeyShape = createShape(CreateSshKeyDto, (dto): SshKeyInput => ({
  key: dto.content,
  // A blank description counts as absent, as on PUT.
  description: dto.description === undefined || isBlank(dto.description) ? undefined : dto.description,
}));

/** Body of PUT. */
class UpdateSshKeyDto {
  @PublicKeyField() content!: PublicKey;
  @TextField({ max: DESCRIPTION_MAX_LENGTH, required: true, ...SSH_KEY.description }) description!: string;
}

export const updateSshKeyShape = updateShape(UpdateSshKeyDto, (dto): SshKeyInput => ({
  key: dto.content,
  description: dto.description,
}));
