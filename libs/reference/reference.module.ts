import { Module } from '@nestjs/common';
import { ReferenceController } from './reference.controller';
import { ReferenceService } from './reference.service';
import { ReferenceShapes } from './shapes/reference.shapes';

/** What forms of a panel choose from; price groups are kept by `libs/organisations`. */
@Module({
  controllers: [ReferenceController],
  providers: [ReferenceService, ReferenceShapes],
})
export class ReferenceModule {}
