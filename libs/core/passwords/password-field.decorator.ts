import { TextField } from '../wire/field.decorators';
import { validatePassword, type PasswordRules } from './password-rules';

/** A new password that must follow the rules of the variant. */
export const PasswordField = ({ rules }: { rules: PasswordRules }): PropertyDecorator =>
  TextField({
    max: 4096,
    required: true,
    format: 'password',
    description: `${rules.minCharacters} to ${rules.maxCharacters} characters, no spaces, colons, quotes or apostrophes`,
    check: (text) => validatePassword(text, rules),
  });
