import { CRYPT_HASH_FORMS, parseCryptHash } from '@app/core/passwords/crypt-hash';
import { EMAIL_MAX_LENGTH } from '@app/core/text/email-address';
import { TextField } from '@app/core/wire/fields';
import { changeShape, creationShape } from '@app/core/wire/shapes';
import { faultOfUsernameB } from '../shapes/variant-b/user-requests';
import type { MigratedUser } from './migrated-user.values';

/** Body of `POST …/users` and `PATCH …/cp3/users/{userId}`. */
export class MigratedUserBody {
  @TextField({ max: EMAIL_MAX_LENGTH, required: true, example: 'jan', check: faultOfUsernameB })
  username!: string;

  @TextField({ max: 255, required: true, example: 'Jan' })
  firstName!: string;

  @TextField({ max: 255, required: true, example: 'de Vries' })
  lastName!: string;

  @TextField({
    max: 255,
    required: true,
    format: 'password',
    description: 'Password hash of the previous panel: $1$, $5$, $6$, $2a$, $2b$ or $2y$',
    check: (text) => (parseCryptHash(text) === undefined ? CRYPT_HASH_FORMS : undefined),
  })
  cp3Password!: string;

  @TextField({ max: 4000, nullable: true, description: 'Kept, not answered' })
  websiteOrderInfo?: string | null;
}

const migratedUserOf = (dto: MigratedUserBody): MigratedUser => ({
  username: dto.username,
  firstName: dto.firstName,
  lastName: dto.lastName,
  passwordHash: dto.cp3Password,
  websiteOrderInformation: dto.websiteOrderInfo,
});

/** The request shapes of migrated users, which exist in Variant B only. */
export class MigratedUsersShapes {
  /** Body of `POST …/users`. */
  readonly creation = creationShape(MigratedUserBody, migratedUserOf);
  /** Body of `PATCH …/cp3/users/{userId}`. */
  readonly change = changeShape(MigratedUserBody, migratedUserOf);
}
