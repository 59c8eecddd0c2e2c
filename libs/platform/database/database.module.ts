import { type DynamicModule, Global, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Bulkheads } from '../concurrency/bulkheads';
import { APP_LOGGER } from '../observability/logger';
import { NoConnection, SilentDatabase } from './connection-errors';
import { dataSourceOptions, driverOf, type PostgresOptions } from './data-source-options';
import { DatabasePool, type DatabasePoolConfig, poolOf } from './database-pool';
import { DatabaseWatch } from './database-watch';
import { DatabaseReads } from './pg-reads/database-reads';
import { KeyReads } from './pg-reads/key-reads';
import { Transactions } from './transactions';

/**
 * Milliseconds for the first connection of a process. The timeouts of requests are too short for it: after an
 * outage all processes of a machine start at once, and each loads its code while it connects.
 */
const START_TIME = 30_000;

async function connectedInTime(options?: DataSourceOptions): Promise<DataSource> {
  const end = performance.now() + START_TIME;
  for (;;) {
    const made: DatabasePool[] = [];
    // TypeORM forgets a pool whose first connection failed, and so does not end it.
    class KnownPool extends DatabasePool {
      constructor(config: DatabasePoolConfig) {
        super(config);
        made.push(this);
      }
    }
    try {
      return await new DataSource({
        ...(options as PostgresOptions),
        driver: driverOf(KnownPool),
      }).initialize();
    } catch (error) {
      const isSlow = error instanceof NoConnection || error instanceof SilentDatabase;
      if (!isSlow || performance.now() > end) throw error;
      // It waits for what never answered, so nothing waits for it.
      for (const pool of made) void pool.end().catch(() => undefined);
    }
  }
}

/** The one connection pool of the process. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  static connectedTo(url: string, poolSize: number, keepsSessions: boolean): DynamicModule {
    const options = {
      ...dataSourceOptions(url, poolSize, { keepsSessions }),
      autoLoadEntities: true,
      retryAttempts: 1,
    };
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({ useFactory: () => options, dataSourceFactory: connectedInTime }),
      ],
      providers: [
        DatabaseReads,
        DatabaseWatch,
        // Here, because most bulkheads have a share of the connections.
        { provide: Bulkheads, useFactory: () => new Bulkheads(poolSize) },
        {
          provide: Transactions,
          inject: [DataSource, Bulkheads],
          useFactory: (dataSource: DataSource, bulkheads: Bulkheads) =>
            new Transactions(dataSource, bulkheads),
        },
        // A pooler in transaction mode keeps no prepared statements and no settings of sessions.
        { provide: KeyReads, useFactory: () => (keepsSessions ? new KeyReads(url) : null) },
      ],
      exports: [DatabaseReads, DatabaseWatch, Bulkheads, Transactions],
    };
  }

  /** Warns if the pooler has no `statement_timeout`, because no statement would then end by itself. */
  async onApplicationBootstrap(): Promise<void> {
    if (poolOf(this.dataSource).keepsSessions) return;
    const [{ limit }] = await this.dataSource.query<[{ limit: string }]>(
      `SELECT current_setting('statement_timeout') AS limit`,
    );
    if (limit !== '0') return;
    this.logger.warn(
      'statement_timeout is 0 behind the pooler: run `cli database-role-settings`, then RECONNECT in its console',
    );
  }
}
