import { TextField } from '../wire/field.decorators';
import { describePasswordRules, validatePassword, type PasswordRules } from './password-rules';

/** A new password that must follow the rules of the variant. */
export const PasswordField = ({ rules }: { rules: PasswordRules }): PropertyDecorator =>
  TextField({
    max: 4096,
    required: true,
    format: 'password',
    description: `The new password: ${describePasswordRules(rules)}`,
    described: { minLength: rules.minCharacters, maxLength: rules.maxCharacters },
    check: (text) => validatePassword(text, rules),
  });
