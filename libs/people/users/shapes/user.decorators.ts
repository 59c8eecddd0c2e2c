import { EMAIL_MAX_LENGTH, isPlainEmailAddress } from '@app/formats/email-address';
import { withAsciiDomain } from '@app/formats/email-domains';
import { USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { type FieldOptions, TextField } from '@app/platform/dto/field.decorators';
import { HasNoFaults } from '@app/platform/dto/field-checks';
import { parseCsvList, type TextRule } from '@app/platform/dto/text-rules';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';
import { unknownRoles } from '../given-roles';
import { IS_NOT_RESERVED, isLoginName, PERSON_NAME_RULES } from '../user-names';

const NOT_AN_EMAIL = fieldError('INVALID_EMAIL_ADDRESS', 'This value should be an e-mail address.');

/** A required e-mail address. */
export const EmailField = (description: string): PropertyDecorator =>
  TextField({
    max: EMAIL_MAX_LENGTH,
    trim: true,
    read: withAsciiDomain,
    required: true,
    description: `${description}; white space around it is cut, and a domain of other letters than ASCII becomes its ASCII form`,
    format: 'email',
    example: 'jan@example.nl',
    rules: [IS_EMAIL, IS_NOT_RESERVED],
  });

export const IS_EMAIL: TextRule = { name: 'isPlainEmail', holds: isPlainEmailAddress, error: NOT_AN_EMAIL };

/** A required first or last name of a new user or invitation. */
export const PersonNameField = (documentation: FieldOptions = {}): PropertyDecorator =>
  TextField({ max: 255, required: true, rules: PERSON_NAME_RULES, ...documentation });

interface UsernameOptions {
  readonly example: string;
  readonly description?: string;
  /** The error for a text that is neither a login name nor an e-mail address. */
  readonly error?: FieldError;
  /** A name that is kept for the service itself is refused; users may have one already. */
  readonly isNew?: boolean;
}

const DESCRIPTION =
  'What the user logs in with: a login name or an e-mail address, unique without regard to case; repeat it to keep it';

export const IS_USERNAME: TextRule = {
  name: 'isUsername',
  holds: (text) => isLoginName(text) || isPlainEmailAddress(text),
  error: fieldError('INVALID_USERNAME', 'This value should be a login name or an e-mail address.'),
};

/** A required user name: a login name or an e-mail address. */
export const UsernameField = ({
  error = IS_USERNAME.error,
  isNew = false,
  ...options
}: UsernameOptions): PropertyDecorator =>
  TextField({
    description: DESCRIPTION,
    ...options,
    max: EMAIL_MAX_LENGTH,
    trim: true,
    read: withAsciiDomain,
    required: true,
    rules: [{ ...IS_USERNAME, error }, ...(isNew ? [IS_NOT_RESERVED] : [])],
  });

/** A required user name: an e-mail address, or the unchanged name. */
export const EmailOrPresentNameField = (): PropertyDecorator =>
  UsernameField({
    example: 'jan@example.nl',
    description: 'The user name: an e-mail address, or the present name',
    error: NOT_AN_EMAIL,
  });

/**
 * Comma-separated roles. A word that is no role is named beside the faults of other fields; whether the
 * caller may give the roles is asked later.
 */
export const RolesField = (): PropertyDecorator =>
  TextField({
    max: 1000,
    ...USER.rolesAsText,
    checks: [
      HasNoFaults('areRoles', (text) => (typeof text === 'string' ? unknownRoles(parseCsvList(text)) : [])),
    ],
  });
