import { Module } from '@nestjs/common';
import { AccessListController } from './access-list.controller';
import { AccessListService } from './access-list.service';
import { AccessListShapes } from './access-list.shapes';

/** Who has access to an organisation. Nothing else depends on it. */
@Module({ controllers: [AccessListController], providers: [AccessListService, AccessListShapes] })
export class AccessListModule {}
