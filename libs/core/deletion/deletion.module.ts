import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Deletions } from './deletions';

/** What goes with a user or an organisation that is deleted: see {@link DeletionHandler}. */
@Module({ imports: [DiscoveryModule], providers: [Deletions], exports: [Deletions] })
export class DeletionModule {}
