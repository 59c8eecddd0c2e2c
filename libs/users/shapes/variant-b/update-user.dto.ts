import { parseCsvList } from '@app/core/text/csv-list';
import { TextField, WordField } from '@app/core/wire/field.decorators';
import { updateShape, type EveryField } from '@app/core/wire/shapes';
import { LANGUAGES, type Language } from '../../languages';
import type { UserChanges } from '../../user.types';
import { USER } from '@app/organisations/shapes/shared/user.properties';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '../step-up.decorators';
import { UsernameField } from '../username.decorators';

/** Body of `PATCH …/users/{userId}`. */
class UpdateUserDto {
  @UsernameField({ example: 'jan' })
  username!: string;

  @TextField({ max: 255, required: true, ...USER.firstName })
  firstName!: string;

  @TextField({ max: 255, required: true, ...USER.lastName })
  lastName!: string;

  @TextField({ max: 1000, ...USER.rolesAsText })
  defaultRoles?: string;

  @WordField({ words: LANGUAGES, ...USER.language })
  language?: Language;

  @TextField({ max: 4000, nullable: true, ...USER.websiteOrderInfo })
  websiteOrderInfo?: string | null;

  @StepUpPasswordField()
  password?: string | null;

  @StepUpCodeField()
  '6digitCode'?: string | null;
}

export const updateUserShape = updateShape(UpdateUserDto, (dto): EveryField<UserChanges> => ({
  username: dto.username,
  firstName: dto.firstName,
  lastName: dto.lastName,
  roles: dto.defaultRoles === undefined ? undefined : parseCsvList(dto.defaultRoles),
  language: dto.language,
  websiteOrderInformation: dto.websiteOrderInfo,
  proof: stepUpProof(dto),
}));
