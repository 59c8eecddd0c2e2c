import { Global, Module, type DynamicModule } from '@nestjs/common';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options';
import { hearLostConnections } from './lost-connections';
import { Lists } from '../paging/lists';
import { Sql } from './sql';
import { Transactions } from './transactions';

/** The one connection pool of the process. */
@Global()
@Module({})
export class DatabaseModule {
  constructor(@InjectDataSource() { driver }: DataSource) {
    hearLostConnections((driver as unknown as { master: Pool }).master);
  }

  static connectedTo(url: string, poolSize: number): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, poolSize),
          autoLoadEntities: true,
          retryAttempts: 1,
        }),
      ],
      providers: [Lists, Sql, Transactions],
      exports: [Lists, Sql, Transactions],
    };
  }
}
