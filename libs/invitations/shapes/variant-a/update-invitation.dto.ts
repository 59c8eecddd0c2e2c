import { TextField, WordField } from '@app/core/wire/field.decorators';
import { updateShape } from '@app/core/wire/shapes';
import { EmailField } from '@app/users/shapes/email.decorators';
import { LANGUAGES, type Language } from '@app/users/languages';
import { toInvitationInput } from './create-invitation.dto';
import { INVITATION } from '../shared/invitation.properties';
import { USER } from '@app/organisations/shapes/shared/user.properties';

/** Body of `PUT …/invitations/{invitationId}`. */
class UpdateInvitationDto {
  @EmailField(INVITATION.email.description)
  email!: string;

  @TextField({ max: 255, required: true, ...USER.firstName })
  firstName!: string;

  @TextField({ max: 255, required: true, ...USER.lastName })
  lastName!: string;

  @WordField({ words: LANGUAGES, ...INVITATION.language })
  language?: Language;

  @TextField({ max: 1000, ...USER.rolesAsText })
  autoRoles?: string;

  @TextField({ max: 1000, ...INVITATION.autoTeams })
  autoTeams?: string;
}

export const updateInvitationShape = updateShape(UpdateInvitationDto, toInvitationInput);
