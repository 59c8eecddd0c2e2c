import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { deletedRows, stays } from '@app/lifecycle/deletions';
import type { TableRules } from '@app/lifecycle/table-rules';
import { Acl } from './acl.entity';

export const ACL_RULES: TableRules = {
  table: 'acls',
  withUsers: stays('grants name organisations, no users'),
  withOrganisation: deletedRows(
    `DELETE FROM acls WHERE $1 IN (organisation_id, grantee_id, giver_organisation_id)`,
  ),
};

/** Grants between organisations. They hold in both variants; only Variant B has their routes. */
@Module({ imports: [TypeOrmModule.forFeature([Acl])] })
export class AclsModule {}
