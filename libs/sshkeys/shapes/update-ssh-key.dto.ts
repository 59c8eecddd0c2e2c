import { TextField } from '@app/core/wire/field.decorators';
import { updateShape } from '@app/core/wire/shapes';
import type { PublicKey } from '../public-key';
import type { SshKeyInput } from '../ssh-key.types';
import { DESCRIPTION_MAX_LENGTH } from '../sshkeys.limits';
import { PublicKeyField } from './public-key.decorators';
import { SSH_KEY } from './ssh-key.properties';

/** Body of PUT. */
class UpdateSshKeyDto {
  @PublicKeyField()
  content!: PublicKey;

  @TextField({ max: DESCRIPTION_MAX_LENGTH, required: true, ...SSH_KEY.description })
  description!: string;
}

export const updateSshKeyShape = updateShape(UpdateSshKeyDto, (dto): SshKeyInput => ({
  key: dto.content,
  description: dto.description,
}));
