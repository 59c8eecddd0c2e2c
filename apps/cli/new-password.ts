import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import {
  isUserName,
  validatePassword,
  VARIANT_A_PASSWORD_RULES,
  VARIANT_B_PASSWORD_RULES,
} from '@app/security/passwords/password-rules';
import { WrongUse } from './outcome';
import { readLine } from './terminal';

/** Password rules that satisfy both variants. */
export const PASSWORD_RULES =
  '9 to 29 characters with a digit, a capital letter and a special character, without spaces, ' +
  'colons and quotes; it is neither the user name nor its part before the @';

export interface PasswordOptions {
  readonly password?: string;
  readonly passwordStdin?: boolean;
}

export const withPasswordOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--password <password>', 'others on the machine may see it').conflicts('passwordStdin'),
    )
    .option('--password-stdin', 'read the password from the first line of standard input');

/**
 * The password from the options; undefined if one must be generated. Throws {@link
 * WrongUse} for an invalid one.
 */
export async function givenPassword(options: PasswordOptions): Promise<string | undefined> {
  const password =
    options.passwordStdin === true ? await readLine(process.stdin, 'the password') : options.password;
  if (password === undefined) return undefined;
  const isFit = [VARIANT_A_PASSWORD_RULES, VARIANT_B_PASSWORD_RULES].every(
    (rules) => validatePassword(password, rules).length === 0,
  );
  if (!isFit) throw new WrongUse(`the password must have ${PASSWORD_RULES}`);
  return password;
}

/** The hash of a password. */
interface NewPassword {
  readonly hash: string;
  /** Shows a generated password, once. */
  readonly report: { readonly password?: string };
  readonly lines: readonly string[];
}

/**
 * Generates a password that is valid in both variants, if none is given. Throws {@link
 * WrongUse} for the user name.
 */
export async function newPassword(
  given: string | undefined,
  username: string,
  bcryptCost: number,
): Promise<NewPassword> {
  if (given !== undefined && isUserName(given, username))
    throw new WrongUse(`the password must have ${PASSWORD_RULES}`);
  const password = given ?? `A1-${randomBytes(12).toString('hex')}`;
  const hash = await hashOf(password, bcryptCost);
  if (given !== undefined) return { hash, report: {}, lines: [] };
  const line = `Password ${password}   (shown this once; change it after the first login)`;
  return { hash, report: { password }, lines: [line] };
}

async function hashOf(password: string, bcryptCost: number): Promise<string> {
  const hasher = new PasswordHasher(bcryptCost);
  try {
    return await hasher.hash(password);
  } finally {
    await hasher.close();
  }
}
