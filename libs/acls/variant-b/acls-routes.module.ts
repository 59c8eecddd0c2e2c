import { Module } from '@nestjs/common';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { AclsController } from './acls.controller';
import { ACL_CONSTRAINT_ERRORS } from './acls.errors';
import { AclsService } from './acls.service';
import { AclsShapes } from './acls.shapes';

/** The routes of grants, which exist in Variant B only; the grants themselves hold in both. */
@Module({
  imports: [ConstraintErrorsModule.forFeature(ACL_CONSTRAINT_ERRORS)],
  controllers: [AclsController],
  providers: [AclsService, AclsShapes],
})
export class AclRoutesModule {}
