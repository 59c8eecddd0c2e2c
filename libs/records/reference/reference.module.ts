import { Module } from '@nestjs/common';
import { ReferenceController } from './reference.controller';
import { ReferenceService } from './reference.service';
import { ReferenceShapes } from './reference.shapes';

/** The choices in forms of a panel. Price groups belong to `libs/people/organisations`. */
@Module({ controllers: [ReferenceController], providers: [ReferenceService, ReferenceShapes] })
export class ReferenceModule {}
