import { USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { TextField } from '@app/platform/dto/field.decorators';
import { createShape, updateShape } from '@app/platform/dto/shapes';
import { IS_CRYPT_HASH } from '@app/security/passwords/crypt-hash';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/security/passwords/step-up-fields';
import { PersonNameField, UsernameField } from '../shapes/user.decorators';
import type { MigratedUser, MigratedUserChange } from './migrated-users.service';

/** What the bodies of both routes hold. */
class MigratedUserDto {
  @UsernameField({ example: 'jan' }) username!: string;
  @PersonNameField(USER.firstName) firstName!: string;
  @PersonNameField(USER.lastName) lastName!: string;

  @TextField({
    max: 255,
    required: true,
    format: 'password',
    description: 'Password hash of the previous panel: $1$, $5$, $6$, $2a$, $2b$ or $2y$',
    rules: [IS_CRYPT_HASH],
  })
  cp3Password!: string;

  @TextField({ max: 4000, nullable: true, ...USER.websiteOrderInfo }) websiteOrderInfo?: string | null;
}

/** Body of `POST …/users`. */
class CreateMigratedUserDto extends MigratedUserDto {
  @UsernameField({ example: 'jan', isNew: true }) declare username: string;
}

/** Body of `PATCH …/cp3/users/{userId}`. */
class UpdateMigratedUserDto extends MigratedUserDto {
  @StepUpPasswordField() password?: string | null;
  @StepUpCodeField() '6digitCode'?: string | null;
}

const toMigratedUser = (dto: MigratedUserDto): MigratedUser => ({
  username: dto.username,
  firstName: dto.firstName,
  lastName: dto.lastName,
  passwordHash: dto.cp3Password,
  websiteOrderInformation: dto.websiteOrderInfo,
});

/** The request shapes of migrated users; the response is that of a user. */
export class MigratedUsersShapes {
  /** Body of `POST …/users`. */
  readonly create = createShape(CreateMigratedUserDto, toMigratedUser);
  /** Body of `PATCH …/cp3/users/{userId}`. */
  readonly update = updateShape(UpdateMigratedUserDto, (dto): MigratedUserChange => ({
    ...toMigratedUser(dto),
    proof: stepUpProof(dto),
  }));
}
