import type { EntityManager } from 'typeorm';
import { isPlainEmailAddress } from '@app/formats/email-address';
import type { Language } from './user.types';

/** The mailbox of a user, with what a mail to it says. */
export interface Mailbox {
  /** The user name that the mailbox belongs to: the former one while there is one. */
  readonly name: string;
  /** Undefined: no mail reaches the user. */
  readonly address: string | undefined;
  /** Mails to an unverified address hold no text that a user chose: it may be the address of a stranger. */
  readonly isVerified: boolean;
  /** Whether recovery goes there. */
  readonly recovers: boolean;
  readonly fullName: string;
  readonly language: Language;
}

const MAILBOX = `
  SELECT box.name, box.address, box.is_verified AS "isVerified", box.recovers, 
    u.first_name || ' ' || u.last_name AS "fullName", u.language
  FROM users u CROSS JOIN LATERAL mailbox_of(u) box WHERE u.id = $1`;

/** Where mail to the user goes, as this transaction has it. The database decides it (`mailbox_of`). */
export async function mailboxOf(manager: EntityManager, userId: number): Promise<Mailbox> {
  const [box] = await manager.query<(Omit<Mailbox, 'address'> & { readonly address: string | null })[]>(
    MAILBOX,
    [userId],
  );
  if (box === undefined) throw new Error(`there is no user ${userId}`);
  const { address } = box;
  const isUsable = address !== null && isPlainEmailAddress(address);
  return { ...box, address: isUsable ? address : undefined, recovers: isUsable && box.recovers };
}

/**
 * The age from which a contact gets recovery mail of a user without an address in the name, and the time for
 * which a removed one still gets it (`mailbox_of`). In that time the user can read the notification of the
 * change.
 */
export const RECOVERY_CONTACT_AGE = '72 hours';
