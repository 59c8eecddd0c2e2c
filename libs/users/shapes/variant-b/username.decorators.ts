import { fault, type Fault } from '@app/core/errors/fault';
import { EMAIL_MAX_LENGTH, isPlainEmailAddress } from '@app/core/text/email-address';
import { isLoginName } from '@app/core/text/login-name';
import { TextField } from '@app/core/wire/field.decorators';

const DESCRIPTION =
  'What the user logs in with: a login name or an e-mail address, unique without regard to case; repeat it to keep it';

/** A user name that must be there: a login name or an e-mail address. */
export const UsernameField = ({ example }: { example: string }): PropertyDecorator =>
  TextField({
    max: EMAIL_MAX_LENGTH,
    trim: true,
    required: true,
    description: DESCRIPTION,
    example,
    check: validateUsername,
  });

const validateUsername = (text: string): Fault | undefined =>
  isLoginName(text) || isPlainEmailAddress(text)
    ? undefined
    : fault('INVALID_USERNAME', 'This value should be a login name or an e-mail address.');
