import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { orderedProviders, type Ordered } from '@app/core/discovery/ordered-providers';

/** A person has become a user, complete with what it begins with. */
export interface UserCreated {
  readonly kind: 'created';
  readonly userId: number;
  readonly organisationId: number;
  readonly fullName: string;
  /** Who created it: itself, where it registered. */
  readonly actorId: number;
}

/** The user has another name, and with it perhaps another address; another spelling of the same is none. */
export interface UserRenamed {
  readonly kind: 'renamed';
  readonly userId: number;
  readonly organisationId: number;
  /** The new name. */
  readonly username: string;
  readonly formerName: string;
  readonly actorId: number;
}

/**
 * The user has taken an older name back, with a new password: what came in between is not to be trusted, and neither
 * is any credential.
 */
export interface UsernameRestored {
  readonly kind: 'nameRestored';
  readonly userId: number;
  readonly organisationId: number;
  /** The name that counts again. */
  readonly username: string;
  /** The name that counts no more. */
  readonly formerName: string;
  /** When the name was changed that counts again. */
  readonly since: Date;
}

export interface UserEnabled {
  readonly kind: 'enabled' | 'disabled';
  readonly userId: number;
}

/** The user has another password, by its own doing or an admin's. */
export interface PasswordChanged {
  readonly kind: 'passwordChanged';
  readonly userId: number;
  readonly organisationId: number;
  readonly username: string;
  readonly actorId: number;
  /** The login that the change was made with: it goes on. */
  readonly keptLoginId: number | undefined;
}

export type UserEvent = UserCreated | UserRenamed | UsernameRestored | UserEnabled | PasswordChanged;

/**
 * Does a domain's part of a change of a user, in its transaction: domains above this one end credentials, for
 * example, that a change ends. A provider of any module that extends this class is found by itself.
 * What goes with a deleted user is not announced here: see `DeletionHandler`.
 */
export abstract class UserEventHandler implements Ordered {
  /** Locks are taken in the order of positions, which is that of deletions. */
  abstract readonly position: number;

  abstract handle(manager: EntityManager, event: UserEvent): Promise<void>;
}

/** Tells the domains above what happens to users. */
@Injectable()
export class UserEvents implements OnApplicationBootstrap {
  private handlers: readonly UserEventHandler[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onApplicationBootstrap(): void {
    this.handlers = orderedProviders(this.discovery, UserEventHandler);
  }

  /** Call it after the user's row was changed or locked: recovery, for example, locks that one first too. */
  async announce(manager: EntityManager, event: UserEvent): Promise<void> {
    for (const handler of this.handlers) await handler.handle(manager, event);
  }
}
