import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** A user was created with all its initial records. */
export interface UserCreated {
  readonly kind: 'created';
  readonly userId: number;
  readonly organisationId: number;
  readonly fullName: string;
  /** The creator; the user itself after a registration; null for a service key. */
  readonly actorId: number | null;
}

/** The user of an event, with its present name. */
export interface OfUser {
  readonly userId: number;
  readonly organisationId: number;
  readonly username: string;
}

/** Where mail to a user went before an event. */
interface FormerMailbox {
  /** Undefined: no mail reached the user. */
  readonly address: string | undefined;
  readonly isVerified: boolean;
  readonly name: string;
  readonly fullName: string;
  readonly language: 'nl' | 'en' | 'fr';
}

/** The user has another name, and possibly another e-mail address. A change of letter case is no rename. */
export interface UserRenamed extends OfUser {
  readonly kind: 'renamed';
  /** Where mail to the user went before. An own rename keeps it for a while, if it is verified. */
  readonly mailbox: FormerMailbox;
  /** Whether the new name is verified. */
  readonly isVerified: boolean;
  readonly actorId: number | null;
}

/** Somebody sent the unverified name of the user again. */
export interface UnverifiedNameSent extends OfUser {
  readonly kind: 'unverifiedNameSent';
}

/** The user registered without the token of the invitation: the name is unverified. */
export interface RegisteredUnverified extends OfUser {
  readonly kind: 'registeredUnverified';
}

/** Somebody registers by a name that others had unverified: they have other names now. */
export interface NameTaken {
  readonly kind: 'nameTaken';
  readonly holders: readonly OfUser[];
}

/** A manager enabled or disabled the user, possibly one that was so already. */
export interface UserEnabled extends OfUser {
  readonly kind: 'enabled' | 'disabled';
  /** Whether the user has ROLE_CUSTADMIN. */
  readonly isManager: boolean;
  /** Whether the user was not so before. */
  readonly isChange: boolean;
  readonly actorId: number | null;
}

/** Somebody set the roles of the user, possibly those that it had. */
export interface RolesChanged extends OfUser {
  readonly kind: 'rolesChanged';
  readonly roles: readonly string[];
  readonly formerRoles: readonly string[];
  readonly actorId: number | null;
}

/** A manager deletes the user, whose records are still there. An erasure announces no deletion. */
export interface UserDeleted extends Omit<OfUser, 'username'> {
  readonly kind: 'deleted';
  /** Whether the user was enabled and had ROLE_CUSTADMIN. */
  readonly isManager: boolean;
  readonly actorId: number | null;
}

/** The user or an admin changed the password. */
export interface PasswordChanged extends OfUser {
  readonly kind: 'passwordChanged';
  readonly actorId: number | null;
  /** The login of the request. It stays valid. */
  readonly keptLoginId: number | undefined;
}

/**
 * The user set a new password with a reset link, because the old one was lost or is known to somebody else.
 */
export interface PasswordReset extends OfUser {
  readonly kind: 'passwordReset';
  /**
   * The reset gave the former name back: what was added to the account since this time is untrusted.
   * Undefined for every other reset.
   */
  readonly untrustedSince: Date | undefined;
}

/** Somebody with the right password has sent the last of many wrong codes of a day. */
export interface CodesGuessed extends OfUser {
  readonly kind: 'codesGuessed';
}

/** All logins of the user were ended, or all but the one of the request. */
export interface LoginsEnded {
  readonly kind: 'loginsEnded';
  readonly userId: number;
}

/** The organisation now demands a second factor. */
export interface SecondFactorDemanded {
  readonly kind: 'secondFactorDemanded';
  readonly organisationId: number;
  /** The login of the request, if any. It stays valid. */
  readonly keptLoginId: number | undefined;
}

/** The organisation demanded a second factor until now. */
export interface SecondFactorDemandLifted {
  readonly kind: 'secondFactorDemandLifted';
  readonly organisationId: number;
  /** The present name of the organisation. */
  readonly name: string;
  readonly actorId: number | null;
}

export type UserEvent =
  | UserCreated
  | UserRenamed
  | UnverifiedNameSent
  | RegisteredUnverified
  | NameTaken
  | UserEnabled
  | RolesChanged
  | UserDeleted
  | PasswordChanged
  | PasswordReset
  | CodesGuessed
  | LoginsEnded
  | SecondFactorDemanded
  | SecondFactorDemandLifted;

/**
 * Reacts to a change of users in its transaction, for example by ending credentials. `TableRules` include it.
 */
export interface UserEventHandler {
  readonly handle: (manager: EntityManager, event: UserEvent) => Promise<void>;
}

/** Sends changes of users to all domains. */
@Injectable()
export class UserEvents {
  /** In the order of execution. */
  handlers: readonly UserEventHandler[] = [];

  /**
   * Call it after the lock or update of the user's or organisation's row, because every
   * transaction takes that lock first.
   */
  async announce(manager: EntityManager, event: UserEvent): Promise<void> {
    for (const handler of this.handlers) await handler.handle(manager, event);
  }
}
