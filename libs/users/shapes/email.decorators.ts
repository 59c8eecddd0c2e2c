import { fault, type Fault } from '@app/core/errors/fault';
import { EMAIL_MAX_LENGTH, isPlainEmailAddress } from '@app/core/text/email-address';
import { TextField } from '@app/core/wire/field.decorators';

/** What is wrong with a text that is no e-mail address. */
export const NO_ADDRESS = fault('INVALID_EMAIL_ADDRESS', 'This value should be an e-mail address.');

/** An e-mail address that must be there. */
export const EmailField = (description: string): PropertyDecorator =>
  TextField({
    max: EMAIL_MAX_LENGTH,
    trim: true,
    required: true,
    description: `${description}; white space around it is cut`,
    format: 'email',
    example: 'jan@example.nl',
    check: validateEmail,
  });

/** What is wrong with an e-mail address, or undefined. */
export const validateEmail = (text: string): Fault | undefined =>
  isPlainEmailAddress(text) ? undefined : NO_ADDRESS;
