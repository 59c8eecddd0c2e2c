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

/** The user has another name, and possibly another e-mail address. A change of letter case is no rename. */
export interface UserRenamed extends OfUser {
  readonly kind: 'renamed';
  readonly formerName: string;
  /** Whether the former name was proved (rule recovery 55). */
  readonly wasProved: boolean;
  /** Whether the new name is proved. */
  readonly isProved: boolean;
  /** The last proved name, if the user itself gave the former one: that mailbox hears of the account. */
  readonly toldToo: string | undefined;
  readonly actorId: number | null;
}

/** Somebody sent the unproved name of the user again. */
export interface UnprovedNameSent extends OfUser {
  readonly kind: 'unprovedNameSent';
}

/** The user registered without the token of the invitation: nobody has proved the name. */
export interface RegisteredUnproved extends OfUser {
  readonly kind: 'registeredUnproved';
}

/** The user, or a mailbox, proved the present name. */
export interface NameProved extends OfUser {
  readonly kind: 'nameProved';
}

/**
 * An unproved name is not the user's, who has the last proved one again, or a name that no mailbox can have.
 */
export interface NameDenied extends OfUser {
  readonly kind: 'nameDenied';
  /** `mailbox`: whoever got the link to prove it says so. `takeover`: a stolen account gave it. */
  readonly why: 'mailbox' | 'takeover';
  /** The name that the user had in between. */
  readonly formerName: string;
}

/** Somebody registers by a name that no proof gave to others, so they lose it. */
export interface NameTaken {
  readonly kind: 'nameTaken';
  readonly name: string;
  /**
   * Users who had the name unproved. They have the last proved one again, or one that no mailbox can have.
   */
  readonly holders: readonly OfUser[];
  /** Users who were told by the name although they have another now. */
  readonly told: readonly OfUser[];
}

/**
 * The user restored a former name with a new password. Changes since then and all credentials are untrusted.
 * `Takeovers` ends what was made for organisations.
 */
export interface UsernameRestored extends OfUser {
  readonly kind: 'nameRestored';
  /** The name that the user had in between. */
  readonly formerName: string;
  /** Whether that name was proved. */
  readonly wasProved: boolean;
  /** When the user lost the restored name. */
  readonly since: Date;
  /** Before the restoration, which may have taken it off. */
  readonly hadSecondFactor: boolean;
}

/** A manager enabled or disabled the user, possibly one that was so already. */
export interface UserEnabled extends Omit<OfUser, 'username'> {
  readonly kind: 'enabled' | 'disabled';
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
}

/** Somebody with the right password, or with links, has sent the last of many wrong codes of a day. */
export interface CodesGuessed extends OfUser {
  readonly kind: 'codesGuessed';
  /** The service key whose link stood for the password then, for people; undefined after the password. */
  readonly serviceKey: string | undefined;
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
  | UnprovedNameSent
  | RegisteredUnproved
  | NameProved
  | NameDenied
  | NameTaken
  | UsernameRestored
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
