import { Injectable, Module } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Deletions } from './deletions';

/** A user was created, complete with its initial records. */
export interface UserCreated {
  readonly kind: 'created';
  readonly userId: number;
  readonly organisationId: number;
  readonly fullName: string;
  /** The creator; the user itself after a registration; null for a service key. */
  readonly actorId: number | null;
}

/** The user has another name, and perhaps another e-mail address. Another letter case is no rename. */
export interface UserRenamed {
  readonly kind: 'renamed';
  readonly userId: number;
  readonly organisationId: number;
  /** The new name. */
  readonly username: string;
  readonly formerName: string;
  readonly actorId: number | null;
}

/** The user took a former name back, with a new password. Changes since then and all credentials are untrusted. */
export interface UsernameRestored {
  readonly kind: 'nameRestored';
  readonly userId: number;
  readonly organisationId: number;
  readonly username: string;
  /** The name that was given up. */
  readonly formerName: string;
  /** When the restored name was lost. */
  readonly since: Date;
}

export interface UserEnabled {
  readonly kind: 'enabled' | 'disabled';
  readonly userId: number;
}

/** The user or an admin changed the password. */
export interface PasswordChanged {
  readonly kind: 'passwordChanged';
  readonly userId: number;
  readonly organisationId: number;
  readonly username: string;
  readonly actorId: number | null;
  /** The login of the request: it stays valid. */
  readonly keptLoginId: number | undefined;
}

/** The user set a new password with the link of a reset, for a password that was lost or that somebody else knows. */
export interface PasswordReset {
  readonly kind: 'passwordReset';
  readonly userId: number;
  readonly organisationId: number;
  readonly username: string;
}

/** The organisation now demands a second factor. */
export interface SecondFactorDemanded {
  readonly kind: 'secondFactorDemanded';
  readonly organisationId: number;
  /** The login of the request, if any: it stays valid. */
  readonly keptLoginId: number | undefined;
}

export type UserEvent =
  | UserCreated
  | UserRenamed
  | UsernameRestored
  | UserEnabled
  | PasswordChanged
  | PasswordReset
  | SecondFactorDemanded;

/** Reacts to a change of users in its transaction: ends credentials, for example. The rules of a table have it (`TableRules`). */
export interface UserEventHandler {
  readonly handle: (manager: EntityManager, event: UserEvent) => Promise<void>;
}

/** Sends changes of users to all domains. */
@Injectable()
export class UserEvents {
  /** In the order of execution. */
  handlers: readonly UserEventHandler[] = [];

  /** Call it after the lock or update of the row of the user or organisation: every transaction takes that lock first. */
  async announce(manager: EntityManager, event: UserEvent): Promise<void> {
    for (const handler of this.handlers) await handler.handle(manager, event);
  }
}

/** Follow-up work of other domains after changes and deletions of users and organisations. */
@Module({ providers: [Deletions, UserEvents], exports: [Deletions, UserEvents] })
export class LifecycleModule {}
