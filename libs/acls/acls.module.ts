import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Acl } from './acl.entity';

@Module({ imports: [TypeOrmModule.forFeature([Acl])], exports: [TypeOrmModule] })
export class AclsModule {}
