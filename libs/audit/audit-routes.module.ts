import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { AuditService } from './audit.service';
import { AuditShapes } from './shapes/audit.shapes';

/** The audit log over HTTP; triggers of the database write it. */
@Module({ controllers: [AuditController], providers: [AuditService, AuditShapes] })
export class AuditRoutesModule {}
