import { randomBytes } from 'node:crypto';
import { OPERATOR_ORGANISATION } from '@app/core/access/role-grants';
import { PasswordHasher } from '@app/core/passwords/password-hasher';
import {
  validatePassword,
  VARIANT_A_PASSWORD_RULES,
  VARIANT_B_PASSWORD_RULES,
} from '@app/core/passwords/password-rules';
import { isPlainEmailAddress } from '@app/core/text/email-address';
import { ensureOperatorOrganisation } from '@app/organisations/operator-organisation';
import { createUser } from '@app/users/user-creation';
import type { Language } from '@app/users/languages';
import type { Database } from '../database';
import { CommandFailed, EXIT, WrongUse, type Outcome } from '../outcome';
import { reasonOf } from '../reason';

/** What the operator says of the new admin. */
export interface NewAdmin {
  readonly username: string;
  /** Made up if undefined. */
  readonly password: string | undefined;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
}

/** Throws {@link WrongUse} for what could not log in to both variants. */
export function checkNewAdmin({ username, password, firstName, lastName }: NewAdmin): void {
  if (!isPlainEmailAddress(username)) throw new WrongUse('--username must be an e-mail address');
  if (firstName.trim() === '' || lastName.trim() === '') throw new WrongUse('a name must not be empty');
  if (password === undefined) return;
  const faults = [VARIANT_A_PASSWORD_RULES, VARIANT_B_PASSWORD_RULES].flatMap((rules) =>
    validatePassword(password, rules),
  );
  const errors = new Set(faults.map(({ message }) => message));
  if (errors.size > 0) throw new WrongUse([...errors].join(' '));
}

/** Creates a user of the operator organisation who may do everything. */
export async function createAdmin(
  { transactions }: Database,
  bcryptCost: number,
  { password, ...admin }: NewAdmin,
): Promise<Outcome> {
  // Follows the password rules of both variants.
  const madeUpPassword = password === undefined ? `A1-${randomBytes(12).toString('hex')}` : undefined;
  const passwordHash = await hashOf(password ?? madeUpPassword ?? '', bcryptCost);
  const id = await stored(
    transactions.run(async (manager) => {
      await ensureOperatorOrganisation(manager);
      return createUser(manager, {
        ...admin,
        organisationId: OPERATOR_ORGANISATION,
        roles: ['ROLE_ADMIN'],
        passwordHash,
      });
    }),
  );
  const { username } = admin;
  return {
    exitCode: EXIT.ok,
    report: { id, username, ...(madeUpPassword !== undefined && { password: madeUpPassword }) },
    lines: [
      `Created the admin ${username} (user ${id})`,
      ...(madeUpPassword === undefined
        ? []
        : [`Password ${madeUpPassword}   (shown this once; change it after the first login)`]),
    ],
  };
}

async function hashOf(password: string, bcryptCost: number): Promise<string> {
  const hasher = new PasswordHasher(bcryptCost);
  try {
    return await hasher.hash(password);
  } finally {
    await hasher.close();
  }
}

async function stored<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : new CommandFailed(`the admin can not be created: ${reason}`);
  }
}
