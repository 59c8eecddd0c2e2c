import { fault } from '@app/core/errors/fault';
import { EMAIL_MAX_LENGTH, isPlainEmailAddress } from '@app/core/text/email-address';
import { TextField } from '@app/core/wire/field.decorators';

const NO_ADDRESS = fault('INVALID_EMAIL_ADDRESS', 'This value should be an e-mail address.');

/** An e-mail address that must be there. */
export const EmailField = (description: string): PropertyDecorator =>
  TextField({
    max: EMAIL_MAX_LENGTH,
    trim: true,
    required: true,
    description: `${description}; white space around it is cut`,
    format: 'email',
    example: 'jan@example.nl',
    check: (text) => (isPlainEmailAddress(text) ? undefined : NO_ADDRESS),
  });
