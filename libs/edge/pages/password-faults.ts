import { type ErrorsByField, fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import type { PasswordRules } from '@app/security/passwords/password-rules';
import type { PageTexts } from './texts/en';
import type { FieldFaults, FieldName } from './views/fields';

/** A page hides the typed password, so the person types it twice. The API asks for it once. */
export function assertRepeated(password: unknown, repeated: unknown): void {
  if (repeated !== password)
    throw ValidationFailed.on('repeated', fieldError('MISMATCH', 'The two passwords differ.'));
}

/** The form's field for an error. Errors outside the password belong to the user name. */
const fieldOf = (name: string): FieldName => (name === 'password' || name === 'repeated' ? name : 'email');

/** The errors of the fields in a form, in the language of its page. */
export function passwordFaults(
  errors: ErrorsByField,
  { faults }: PageTexts,
  rules: PasswordRules,
): FieldFaults {
  const texts: Partial<Record<FieldName, string[]>> = {};
  for (const [name, found] of Object.entries(errors)) {
    const known = (texts[fieldOf(name)] ??= []);
    for (const { reason } of found) known.push((faults[reason] ?? faults.other)(rules));
  }
  for (const [name, found] of Object.entries(texts)) texts[name as FieldName] = [...new Set(found)];
  return texts;
}
