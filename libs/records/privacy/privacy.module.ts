import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Erasure } from './erasure.entity';
import { ErasureRemains } from './erasure-remains';
import { ErasureRemain } from './erasure-remains.entity';
import { Erasures } from './erasures';
import { KnownPeople } from './known-people';
import { PersonErasure } from './person-erasure';
import { PersonExport } from './person-export';

/** Exports and erases the personal data of a person in all domains. */
@Module({
  imports: [TypeOrmModule.forFeature([Erasure, ErasureRemain])],
  providers: [KnownPeople, PersonErasure, PersonExport, Erasures, ErasureRemains],
  exports: [Erasures, KnownPeople, PersonErasure, PersonExport],
})
export class PrivacyModule {}
