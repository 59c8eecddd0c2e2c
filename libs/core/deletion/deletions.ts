import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { orderedProviders } from '../discovery/ordered-providers';
import { DeletionHandler } from './deletion-handler';

/** Runs every domain's part of a deletion, in the transaction of the deletion. */
@Injectable()
export class Deletions implements OnApplicationBootstrap {
  /** In the order in which they run. */
  handlers: readonly DeletionHandler[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onApplicationBootstrap(): void {
    this.handlers = orderedProviders(this.discovery, DeletionHandler);
  }

  /** Call it after the users' rows were changed: those are locked first, wherever something of a user changes. */
  async usersDeleted(manager: EntityManager, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    for (const { withUsers } of this.handlers) {
      if (typeof withUsers === 'function') await withUsers(manager, userIds);
    }
  }

  /** Call it after the organisation's row was changed. */
  async organisationDeleted(manager: EntityManager, organisationId: number): Promise<void> {
    for (const { withOrganisation } of this.handlers) {
      if (typeof withOrganisation === 'function') await withOrganisation(manager, organisationId);
    }
  }
}
