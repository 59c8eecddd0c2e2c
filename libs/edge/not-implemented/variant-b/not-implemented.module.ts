import { Module } from '@nestjs/common';
import { DomainsController } from './domains.controller';

/** Paths of other areas of the panel. */
@Module({ controllers: [DomainsController] })
export class NotImplementedModule {}
