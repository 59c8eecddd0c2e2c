import { TextField } from '@app/platform/dto/field.decorators';
import { createShape } from '@app/platform/dto/shapes';
import type { NameProofInput } from './name-proofs.types';

/** Body of `POST /usernames/{token}`. */
class ProveNameDto {
  @TextField({ max: 4096, required: true, format: 'password', description: 'The password of the account' })
  password!: string;
}

/** The request shape of the proof of a user name. */
export class NameProofShapes {
  readonly prove = createShape(ProveNameDto, (dto): NameProofInput => ({ password: dto.password }));
}
