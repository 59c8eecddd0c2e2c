import { TextField } from '@app/platform/dto/field.decorators';
import { createShape } from '@app/platform/dto/shapes';
import type { UsernameLinkInput } from './username-links.types';

/** Body of `POST /usernames/{token}`. */
class VerifyUsernameDto {
  @TextField({ max: 4096, required: true, format: 'password', description: 'The password of the account' })
  password!: string;
}

/** The request shape of the proof of a user name. */
export class UsernameLinkShapes {
  readonly verify = createShape(VerifyUsernameDto, (dto): UsernameLinkInput => ({ password: dto.password }));
}
