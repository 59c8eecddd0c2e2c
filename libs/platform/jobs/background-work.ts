import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

/** Work that a process does beside its requests. Its class is a provider of its domain. */
export abstract class BackgroundWork {
  /** Begins nothing new and completes what is in progress. Can be called again. */
  abstract stop(): Promise<void>;
}

/** All background work of the process. */
@Injectable()
export class BackgroundWorks {
  constructor(private readonly discovery: DiscoveryService) {}

  async stop(): Promise<void> {
    const providers = this.discovery.getProviders() as readonly { readonly instance: unknown }[];
    const works = providers.flatMap(({ instance }) => (instance instanceof BackgroundWork ? [instance] : []));
    await Promise.all(works.map((work) => work.stop()));
  }
}
