import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/core/access/caller';
import { orderedProviders, type Ordered } from '@app/core/discovery/ordered-providers';

/** An organisation that demands a second factor from now on. */
export interface SecondFactorDemand {
  readonly organisationId: number;
  /** The login that the demand was made with, if it was one: it goes on. */
  readonly keptLoginId: number | undefined;
}

/** Does a domain's part of the demand, in its transaction. A provider of any module that extends it is found by itself. */
export abstract class SecondFactorDemandHandler implements Ordered {
  abstract readonly position: number;

  abstract handle(manager: EntityManager, demand: SecondFactorDemand): Promise<void>;
}

/** Tells the domains above that an organisation demands a second factor. */
@Injectable()
export class SecondFactorDemands implements OnApplicationBootstrap {
  private handlers: readonly SecondFactorDemandHandler[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onApplicationBootstrap(): void {
    this.handlers = orderedProviders(this.discovery, SecondFactorDemandHandler);
  }

  /** Call it after the organisation's row was changed. */
  async announce(manager: EntityManager, organisationId: number, { credential }: Caller): Promise<void> {
    const keptLoginId = credential.kind === 'login' ? credential.id : undefined;
    for (const handler of this.handlers) await handler.handle(manager, { organisationId, keptLoginId });
  }
}
