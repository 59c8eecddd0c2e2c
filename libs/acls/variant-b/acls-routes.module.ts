import { Module } from '@nestjs/common';
import { AclsController } from './acls.controller';
import { AclsService } from './acls.service';
import { AclsShapes } from './acls.shapes';

/** The routes of grants, which exist in Variant B only; the grants themselves hold in both. */
@Module({ controllers: [AclsController], providers: [AclsService, AclsShapes] })
export class AclsRoutesModuleB {}
