import { CRYPT_HASH_FORMS, parseCryptHash } from '@app/core/passwords/crypt-hash';
import { TextField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import { UsernameField } from '../shapes/username.decorators';
import type { MigratedUser } from './migrated-user.types';
import { USER } from '@app/organisations/shapes/shared/user.properties';

/** Body of `POST …/users`. */
class CreateMigratedUserDto {
  @UsernameField({ example: 'jan' })
  username!: string;

  @TextField({ max: 255, required: true, ...USER.firstName })
  firstName!: string;

  @TextField({ max: 255, required: true, ...USER.lastName })
  lastName!: string;

  @TextField({
    max: 255,
    required: true,
    format: 'password',
    description: 'Password hash of the previous panel: $1$, $5$, $6$, $2a$, $2b$ or $2y$',
    check: (text) => (parseCryptHash(text) === undefined ? CRYPT_HASH_FORMS : undefined),
  })
  cp3Password!: string;

  @TextField({ max: 4000, nullable: true, ...USER.websiteOrderInfo })
  websiteOrderInfo?: string | null;
}

export const createMigratedUserShape = createShape(CreateMigratedUserDto, (dto): MigratedUser => ({
  username: dto.username,
  firstName: dto.firstName,
  lastName: dto.lastName,
  passwordHash: dto.cp3Password,
  websiteOrderInformation: dto.websiteOrderInfo,
}));
