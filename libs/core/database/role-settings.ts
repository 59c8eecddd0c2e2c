import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { APP_LOGGER } from '../logging/logger';
import { REQUEST_LIMITS, sessionSettings } from './database-limits';
import { poolOf } from './pool';

/** Statements that give the connected role the time limits of requests, for wherever no session can. */
export async function roleSettingStatements(dataSource: DataSource): Promise<string[]> {
  const [{ database }] = await dataSource.query<[{ database: string }]>(
    'SELECT quote_ident(current_database()) AS database',
  );
  return Object.entries(sessionSettings(REQUEST_LIMITS)).map(
    ([name, value]) => `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = '${value}'`,
  );
}

/** Tells at start where a pooler hands out connections on which no statement ever ends by itself. */
@Injectable()
export class RoleSettingsCheck implements OnApplicationBootstrap {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (poolOf(this.dataSource).keepsStatements) return;
    const [{ limit }] = await this.dataSource.query<[{ limit: string }]>(
      `SELECT current_setting('statement_timeout') AS limit`,
    );
    if (limit !== '0') return;
    this.logger.warn(
      'statement_timeout is 0 behind the pooler: run `cli database-role-settings`, then RECONNECT in its console',
    );
  }
}
