import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { KnownPeople } from './known-people';
import { PersonErasure } from './person-erasure';
import { PersonExport } from './person-export';

/** What is stored about a person: gathered from all domains, and erased in all of them. */
@Module({
  imports: [DiscoveryModule],
  providers: [KnownPeople, PersonErasure, PersonExport],
  exports: [KnownPeople, PersonErasure, PersonExport],
})
export class PrivacyModule {}
