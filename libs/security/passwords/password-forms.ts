import { composed, decomposed } from '@app/platform/dto/composed-text';

/** bcrypt ignores bytes after this, so longer passwords are refused (rule login 24). */
export const PASSWORD_MAX_BYTES = 72;

export function exceedsPasswordBytes(password: string): boolean {
  return Buffer.byteLength(password, 'utf8') > PASSWORD_MAX_BYTES;
}

/**
 * The form in which a password counts: one keyboard sends `é` as one character, another as two (RFC 8265,
 * section 4.2.1; rule login 26). Rules and hashes take this form.
 */
export const countedForm = (password: string): string => composed(password);

/**
 * The forms that a stored hash may be of, the counted one first. The other one is that of imports and of the
 * previous panel, which hashed what was sent. They depend on the password alone, and so does the time that a
 * wrong one takes. A form that bcrypt would cut matches nothing.
 */
export const comparedForms = (password: string): readonly string[] =>
  [...new Set([countedForm(password), decomposed(password)])].filter((form) => !exceedsPasswordBytes(form));
