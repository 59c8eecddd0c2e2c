import { BooleanField, IntegerField, TextField, WordField } from '@app/platform/dto/field.decorators';
import {
  createShape,
  type EveryField,
  ResponseField,
  responseShape,
  singleOf,
} from '@app/platform/dto/shapes';
import {
  type CreatedSupportLogin,
  MAX_REASON_LENGTH,
  type NewSupportLogin,
  SUPPORT_ACCESS,
  SUPPORT_MINUTES,
  type SupportAccess,
  type SupportConsent,
} from './support.types';

const { least, most, usual } = SUPPORT_MINUTES;

/** Descriptions of fields in requests and responses. */
const SUPPORT = {
  write: {
    type: 'boolean',
    description: 'Whether the login may change something, not only read',
    example: false,
  },
  access: {
    description:
      'What staff may do with a support login in the name of a user of the organisation: nothing, read, or change something too',
    example: 'read',
  },
} as const;

/** Body of `POST …/supportlogins`. */
class CreateSupportLoginDto {
  @TextField({
    max: MAX_REASON_LENGTH,
    required: true,
    trim: true,
    description: 'Why; the user and the managers of the organisation read it',
    example: 'Ticket 4711: mail does not arrive',
  })
  reason!: string;

  @IntegerField({ min: least, max: most, default: usual, description: 'When the login ends, in minutes' })
  minutes?: number;

  @BooleanField({ default: false, ...SUPPORT.write }) write?: boolean;
}

/** Body of `PUT …/supportaccess`. */
class SupportAccessDto {
  @WordField({ words: SUPPORT_ACCESS, required: true, ...SUPPORT.access }) access!: SupportAccess;
}

class SupportLoginResponse {
  @ResponseField({
    type: 'integer',
    description: 'Identifier of the login, as in the logins of the user',
    example: 81,
  })
  id!: number;

  @ResponseField({ description: 'The credential for the Authorization header; answered this once' })
  hash!: string;
  @ResponseField({ description: 'When it ends, in Unix seconds', example: '1767225600' }) dtExpires!: string;
  @ResponseField(SUPPORT.write) write!: boolean;
}

/** Response of `GET …/supportaccess`. */
class SupportAccessResponse {
  @ResponseField({ enum: [...SUPPORT_ACCESS], ...SUPPORT.access }) access!: SupportAccess;
}

/** Requests and responses of support logins, equal in both variants. */
export class SupportShapes {
  readonly create = createShape(CreateSupportLoginDto, (dto): EveryField<NewSupportLogin> => ({
    reason: dto.reason,
    minutes: dto.minutes ?? usual,
    write: dto.write ?? false,
  }));
  readonly created = singleOf(
    'supportLogin',
    SupportLoginResponse,
    (login: CreatedSupportLogin) => ({
      id: login.id,
      hash: login.hash,
      dtExpires: String(login.expiresAt),
      write: login.write,
    }),
    { as: 'CreatedSupportLoginResponse', description: 'The new login' },
  );
  readonly consentRequest = createShape(SupportAccessDto, (dto): SupportConsent => ({
    access: dto.access,
  }));
  readonly consent = responseShape(SupportAccessResponse, ({ access }: SupportConsent) => ({ access }));
}
