import { Global, Module } from '@nestjs/common';
import { Paginator } from './paginator';

/** Pages of lists, for every domain. */
@Global()
@Module({ providers: [Paginator], exports: [Paginator] })
export class PagingModule {}
