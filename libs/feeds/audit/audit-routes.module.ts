import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { AuditService } from './audit.service';
import { AuditShapes } from './audit.shapes';

/** The route of the audit log. Database triggers write the log. */
@Module({ controllers: [AuditController], providers: [AuditService, AuditShapes] })
export class AuditRoutesModule {}
