import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '@app/core/database/data-source-options';
import { startEmbeddedPostgres } from '@app/core/database/embedded-postgres';
import { readSettings } from './env';

/**
 * What TypeORM's command line works on (npm run migration:generate): the database of the settings with every entity.
 * The service itself connects in libs/core/database.
 */
async function dataSourceOfSettings(): Promise<DataSource> {
  const { databaseUrl: pooledUrl, databaseDirectUrl, dataDir } = readSettings();
  const databaseUrl = databaseDirectUrl ?? pooledUrl;
  const entities = [join(__dirname, '../libs/**/*.entity.{ts,js}')];
  if (databaseUrl !== undefined) return new DataSource({ ...dataSourceOptions(databaseUrl, 1), entities });
  const embedded = await startEmbeddedPostgres({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  const dataSource = new DataSource({ ...dataSourceOptions(embedded.url, 1), entities });
  const disconnect = dataSource.destroy.bind(dataSource);
  dataSource.destroy = async () => {
    await disconnect();
    await embedded.stop();
  };
  return dataSource;
}

export default dataSourceOfSettings();
