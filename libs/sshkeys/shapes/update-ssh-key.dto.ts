import { TextField } from '@app/core/wire/field.decorators';
import { updateShape } from '@app/core/wire/shapes';
import type { PublicKey } from '../public-key';
import type { SshKeyInput } from '../ssh-key.types';
import { DESCRIPTION_MAX_LENGTH } from '../sshkeys.limits';
import { PublicKeyField } from './public-key.decorators';

/** Body of PUT. */
class UpdateSshKeyDto {
  @PublicKeyField()
  content!: PublicKey;

  @TextField({ max: DESCRIPTION_MAX_LENGTH, required: true, example: 'Laptop of Jan' })
  description!: string;
}

export const updateSshKeyShape = updateShape(UpdateSshKeyDto, (dto): SshKeyInput => ({
  key: dto.content,
  description: dto.description,
}));
