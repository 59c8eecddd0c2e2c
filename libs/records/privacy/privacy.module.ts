import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Erasure } from './erasure.entity';
import { Erasures } from './erasures';
import { KnownPeople } from './known-people';
import { PersonErasure } from './person-erasure';
import { PersonExport } from './person-export';

/** Exports and erases the personal data of a person in all domains. */
@Module({
  imports: [TypeOrmModule.forFeature([Erasure])],
  providers: [KnownPeople, PersonErasure, PersonExport, Erasures],
  exports: [Erasures, KnownPeople, PersonErasure, PersonExport],
})
export class PrivacyModule {}
