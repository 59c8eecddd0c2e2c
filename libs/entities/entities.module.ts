import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RegisteredEntityDeletion } from './entities.deletion';
import { RegisteredEntity } from './registered-entity.entity';

/** The register, which both variants keep. */
@Module({
  imports: [TypeOrmModule.forFeature([RegisteredEntity])],
  providers: [RegisteredEntityDeletion],
  exports: [TypeOrmModule],
})
export class EntitiesModule {}
