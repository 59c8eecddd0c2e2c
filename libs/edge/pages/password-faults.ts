import { fault, type FieldErrors, ValidationFailed } from '@app/platform/errors/api-error';
import type { PasswordRules } from '@app/security/passwords/password-rules';
import type { PageTexts } from './page-texts';
import type { FieldFaults, FieldName } from './views/fields';

/** A page hides what is typed: typed twice, it is what the person meant. The interface asks for it once. */
export function assertRepeated(password: unknown, repeated: unknown): void {
  if (repeated !== password)
    throw ValidationFailed.on('repeated', fault('MISMATCH', 'The two passwords differ.'));
}

/** The field of the form that shows a fault: whatever is no password is about the user name. */
const fieldOf = (name: string): FieldName => (name === 'password' || name === 'repeated' ? name : 'email');

/** The faults of the fields of a form, in the language of its page. */
export function passwordFaults(
  errors: FieldErrors,
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
