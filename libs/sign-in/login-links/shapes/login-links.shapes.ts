import { normalisedAddress } from '@app/formats/ip-address';
import { IntegerField, TextField } from '@app/platform/dto/field.decorators';
import {
  createShape,
  type EveryField,
  type RequestShape,
  ResponseField,
  singleOf,
} from '@app/platform/dto/shapes';
import { fieldError } from '@app/platform/errors/api-error';
import {
  type CreatedLoginLink,
  LINK_SECONDS,
  type LinkLoginInput,
  type NewLoginLink,
} from '../login-link.types';

const { least, most, usual } = LINK_SECONDS;

const NO_ADDRESS = fieldError('INVALID_IP_ADDRESS', 'This value should be an IPv4 or IPv6 address.');

const isAddress = (text: string): boolean => !text.includes('%') && normalisedAddress(text) !== undefined;

/** Body of `POST …/loginlinks`. */
class CreateLoginLinkDto {
  @IntegerField({ min: least, max: most, default: usual, description: 'When the link ends, in seconds' })
  expires?: number;

  @TextField({
    max: 45,
    emptyIsAbsent: true,
    rules: [{ name: 'isAddress', holds: isAddress, error: NO_ADDRESS }],
    description:
      'The only IP address that may use the link, as this service sees it: that of the customer if the panel forwards it. Absent: any',
    example: '192.0.2.7',
  })
  address?: string;
}

class LoginLinkResponse {
  @ResponseField({
    description:
      'For `POST /login/link`: 64 hexadecimal digits, answered this once and stored as a digest only',
  })
  token!: string;

  @ResponseField({
    description: 'LOGIN_URL_TEMPLATE with the token; empty without that setting',
    example: 'https://panel.example.com/enter#…',
  })
  url!: string;

  @ResponseField({ description: 'When it ends, in Unix seconds', example: '1767225600' }) dtExpires!: string;
}

/** Body of `POST /login/link`, without the fields of the second factor. */
export class LinkLoginDto {
  @TextField({
    max: 256,
    required: true,
    format: 'password',
    description: 'The token of a login link; it works once',
  })
  token!: string;
}

/** The request and response shapes of login links. */
export abstract class LoginLinksShapes {
  /** Body of `POST /login/link`. */
  abstract readonly login: RequestShape<LinkLoginInput>;
  readonly create = createShape(CreateLoginLinkDto, (dto): EveryField<NewLoginLink> => ({
    seconds: dto.expires ?? usual,
    address: dto.address === undefined ? undefined : normalisedAddress(dto.address),
  }));
  readonly created = singleOf(
    'loginLink',
    LoginLinkResponse,
    ({ token, url, expiresAt }: CreatedLoginLink) => ({ token, url, dtExpires: String(expiresAt) }),
    { as: 'CreatedLoginLinkResponse', description: 'The new link' },
  );
}
