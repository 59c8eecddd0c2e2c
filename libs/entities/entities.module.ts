import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RegisteredEntity } from './registered-entity.entity';

/** The register, which both variants keep. */
@Module({ imports: [TypeOrmModule.forFeature([RegisteredEntity])], exports: [TypeOrmModule] })
export class EntitiesModule {}
