import { DataSource } from 'typeorm';
import { readSettings } from '@app/config/env';
import { startEmbeddedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { MIGRATIONS } from '@app/migrations/all';
import { dataSourceOptions } from '@app/platform/database/data-source-options';
import { ENTITY_FILES } from './entity-files';

/**
 * The data source of TypeORM's command line (npm run migration:generate): the configured database with every
 * entity. The service itself connects in libs/platform/database.
 */
async function dataSourceOfSettings(): Promise<DataSource> {
  const { databaseUrl: pooledUrl, databaseDirectUrl, dataDir } = readSettings();
  const databaseUrl = databaseDirectUrl ?? pooledUrl;
  const code = { migrations: [...MIGRATIONS], entities: [ENTITY_FILES] };
  if (databaseUrl !== undefined) return new DataSource({ ...dataSourceOptions(databaseUrl, 1), ...code });
  const embedded = await startEmbeddedPostgres({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  const dataSource = new DataSource({ ...dataSourceOptions(embedded.url, 1), ...code });
  const disconnect = dataSource.destroy.bind(dataSource);
  dataSource.destroy = async () => {
    await disconnect();
    await embedded.stop();
  };
  return dataSource;
}

export default dataSourceOfSettings();
