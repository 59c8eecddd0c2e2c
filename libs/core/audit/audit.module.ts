import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from './audit-entry.entity';

/** The audit log. Triggers write it, so that no domain can forget to; nothing in the service reads or changes it. */
@Module({ imports: [TypeOrmModule.forFeature([AuditEntry])] })
export class AuditModule {}
