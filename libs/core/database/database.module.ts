import { Global, Inject, Module, type DynamicModule } from '@nestjs/common';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Tracer } from '../tracing/tracer';
import { dataSourceOptions } from './data-source-options';
import type { Pooler } from './database-pool';
import { poolOf } from './pool';
import { guardPool } from './pool-guard';
import { PreparedQueries } from './prepared-queries';
import { traceQueryRunners } from './query-spans';
import { RoleSettingsCheck } from './role-settings';
import { ShortReads } from './short-reads';
import { Transactions } from './transactions';

/** The one connection pool of the process. */
@Global()
@Module({})
export class DatabaseModule {
  constructor(@InjectDataSource() dataSource: DataSource, @Inject(Tracer) tracer: Tracer | null) {
    guardPool(poolOf(dataSource));
    if (tracer !== null) traceQueryRunners(dataSource);
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
