import { Global, Module, type DynamicModule } from '@nestjs/common';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options';
import type { Pooler } from './database-pool';
import { poolOf } from './pool';
import { guardPool } from './pool-guard';
import { PreparedQueries } from './prepared-queries';
import { RoleSettingsCheck } from './role-settings';
import { ShortReads } from './short-reads';
import { Transactions } from './transactions';

/** The one connection pool of the process. */
@Global()
@Module({})
export class DatabaseModule {
  constructor(@InjectDataSource() dataSource: DataSource) {
    guardPool(poolOf(dataSource));
  }

  static connectedTo(url: string, poolSize: number, pooler?: Pooler): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, poolSize, { pooler }),
          autoLoadEntities: true,
          retryAttempts: 1,
        }),
      ],
      providers: [
        PreparedQueries,
        RoleSettingsCheck,
        Transactions,
        // A pooler that hands out transactions knows no statements of the session and mixes up who waits for what.
        {
          provide: ShortReads,
          useFactory: () => (pooler === 'transaction' ? null : new ShortReads(url, pooler)),
        },
      ],
      exports: [PreparedQueries, Transactions],
    };
  }
}
