import { TextField, WordField } from '@app/core/wire/field.decorators';
import { updateShape } from '@app/core/wire/shapes';
import { EmailField } from '@app/users/shapes/email.decorators';
import { LANGUAGES, type Language } from '@app/users/languages';
import { toInvitationInput } from './create-invitation.dto';

/** Body of `PUT …/invitations/{invitationId}`. */
class UpdateInvitationDto {
  @EmailField()
  email!: string;

  @TextField({ max: 255, required: true, example: 'Jan' })
  firstName!: string;

  @TextField({ max: 255, required: true, example: 'de Vries' })
  lastName!: string;

  @WordField({ words: LANGUAGES, description: 'nl at creation' })
  language?: Language;

  @TextField({ max: 1000, description: 'Comma-separated role names', example: 'ROLE_CUSTADMIN' })
  autoRoles?: string;

  @TextField({ max: 1000, description: 'Comma-separated ids of teams of the organisation', example: '5,8' })
  autoTeams?: string;
}

export const updateInvitationShape = updateShape(UpdateInvitationDto, toInvitationInput);
