import { fault, type Fault } from '@app/core/errors/fault';
import { EMAIL_MAX_LENGTH, isPlainEmailAddress } from '@app/core/text/email-address';
import { isLoginName } from '@app/core/text/login-name';
import { TextField } from '@app/core/wire/field.decorators';
import { NO_ADDRESS } from './email.decorators';

interface UsernameOptions {
  readonly example: string;
  readonly description?: string;
  /** What is wrong with a text that is neither. */
  readonly refusal?: Fault;
}

const DESCRIPTION =
  'What the user logs in with: a login name or an e-mail address, unique without regard to case; repeat it to keep it';

const NO_NAME = fault('INVALID_USERNAME', 'This value should be a login name or an e-mail address.');

/** A user name that must be there: a login name or an e-mail address. */
export const UsernameField = ({ refusal = NO_NAME, ...options }: UsernameOptions): PropertyDecorator =>
  TextField({
    description: DESCRIPTION,
    ...options,
    max: EMAIL_MAX_LENGTH,
    trim: true,
    required: true,
    check: (text) => (isLoginName(text) || isPlainEmailAddress(text) ? undefined : refusal),
  });

/** The name of a user that must be an e-mail address, or the name that is there already. */
export const AddressOrPresentNameField = (): PropertyDecorator =>
  UsernameField({
    example: 'jan@example.nl',
    description: 'The user name: an e-mail address, or the present name',
    refusal: NO_ADDRESS,
  });
