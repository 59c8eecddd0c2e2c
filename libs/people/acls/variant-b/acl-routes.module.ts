import { Module } from '@nestjs/common';
import { AclsModule } from '../acls.module';
import { AclsController } from './acls.controller';
import { AclsService } from './acls.service';
import { AclsShapes } from './acls.shapes';

/** The routes of grants in Variant B. Grants give the same rights in both variants. */
@Module({ imports: [AclsModule], controllers: [AclsController], providers: [AclsService, AclsShapes] })
export class AclRoutesModule {}
