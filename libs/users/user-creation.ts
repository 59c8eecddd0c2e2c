import type { EntityManager } from 'typeorm';
import type { Role } from '@app/core/access/roles';
import { insertReturningId } from '@app/core/database/insert-returning-id';
import type { Language } from './languages';
import { User } from './user.entity';

/** Everything that a user begins with; the second factor is off and the user is enabled. */
export interface NewUser {
  readonly organisationId: number;
  /** An e-mail address, or in Variant B a login name; checked by the shape that it came in. */
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly roles: readonly Role[];
  /** bcrypt, or a crypt form of the previous panel. */
  readonly passwordHash: string;
  readonly websiteOrderInformation?: string | null;
}

/**
 * Writes a new user and gives its id. A name that is taken and an organisation that is deleted violate named
 * constraints (users.errors.ts): both are answered as 400.
 */
export function createUser(manager: EntityManager, user: NewUser): Promise<number> {
  return insertReturningId(manager, User, { ...user, roles: [...user.roles] });
}
