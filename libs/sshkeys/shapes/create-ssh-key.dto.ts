import { TextField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import type { PublicKey } from '../public-key';
import type { SshKeyInput } from '../ssh-key.types';
import { DESCRIPTION_MAX_LENGTH } from '../sshkeys.limits';
import { PublicKeyField } from './public-key.decorators';

/** Body of POST. */
class CreateSshKeyDto {
  @PublicKeyField()
  content!: PublicKey;

  @TextField({
    max: DESCRIPTION_MAX_LENGTH,
    description: "Without one: the key's comment, or its type and the start of its fingerprint",
    example: 'Laptop of Jan',
  })
  description?: string;
}

export const createSshKeyShape = createShape(CreateSshKeyDto, (dto): SshKeyInput => ({
  key: dto.content,
  // Nothing but blanks is no description, as on PUT.
  description: dto.description?.trim() === '' ? undefined : dto.description,
}));
