import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditCleanUp } from './audit.clean-up';
import { AuditEntry } from './audit-entry.entity';

/** The audit log. Triggers write it, so that no domain can forget to; the service takes nothing out but what is past its retention. */
@Module({ imports: [TypeOrmModule.forFeature([AuditEntry])], providers: [AuditCleanUp] })
export class AuditModule {}
