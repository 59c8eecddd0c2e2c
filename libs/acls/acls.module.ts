import { Injectable, Module } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/lifecycle/deletions';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Acl } from './acl.entity';

@Injectable()
export class AclDeletion extends DeletionHandler {
  readonly table = 'acls';
  readonly withUsers = stays('grants name organisations, no users');
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM acls WHERE $1 IN (organisation_id, grantee_id, giver_organisation_id)`, [
      organisationId,
    ]);
}

/** Grants between organisations. They hold in both variants; only Variant B has their routes. */
@Module({ imports: [TypeOrmModule.forFeature([Acl])], providers: [AclDeletion] })
export class AclsModule {}
