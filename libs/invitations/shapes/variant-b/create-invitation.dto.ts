import { parseCsvList } from '@app/core/text/csv-list';
import { TextField, WordField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import { EmailField } from '@app/users/shapes/email.decorators';
import { LANGUAGES, type Language } from '@app/users/languages';
import type { InvitationInput } from '../../invitation.types';
import { INVITATION } from '../shared/invitation.properties';
import { USER } from '@app/organisations/shapes/shared/user.properties';

/** Body of `POST …/invitations`. */
export class CreateInvitationDto {
  @EmailField(INVITATION.email.description)
  email!: string;

  @TextField({ max: 255, required: true, ...USER.firstName })
  firstName!: string;

  @TextField({ max: 255, required: true, ...USER.lastName })
  lastName!: string;

  @WordField({ words: LANGUAGES, default: 'nl', ...INVITATION.language })
  language?: Language;

  @TextField({ max: 1000, ...USER.rolesAsText })
  autoRoles?: string;
}

export const toInvitationInput = (dto: CreateInvitationDto): EveryField<InvitationInput> => ({
  email: dto.email,
  firstName: dto.firstName,
  lastName: dto.lastName,
  language: dto.language,
  autoRoles: dto.autoRoles === undefined ? undefined : parseCsvList(dto.autoRoles),
  autoTeams: undefined,
});

export const createInvitationShape = createShape(CreateInvitationDto, toInvitationInput);
