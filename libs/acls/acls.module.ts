import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Acl } from './acl.entity';
import { AclDeletion } from './acls.deletion';

/** Grants between organisations: kept in both variants, given and taken in Variant B. */
@Module({ imports: [TypeOrmModule.forFeature([Acl])], providers: [AclDeletion] })
export class AclsModule {}
