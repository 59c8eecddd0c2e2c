import pg from 'pg';
import { createDatabase } from './database.mjs';
import { startServer, startService } from './service.mjs';

/** Where a part is measured. What it starts there ends with it. */
export class Stage {
  #endings = [];

  /** `built` requires a file of the build; `seconds` are those of a row, where the caller says so. */
  constructor({ postgres, built, seconds }) {
    Object.assign(this, { postgres, built, seconds });
  }

  /** The URL of a database of its own with the service's tables. */
  async database(name) {
    const databaseUrl = await createDatabase(this.postgres.url, name);
    await this.built('libs/migrations/migrate.js').migrate(databaseUrl);
    return databaseUrl;
  }

  async service(databaseUrl, settings) {
    const service = await startService(databaseUrl, settings);
    this.atEnd(() => service.stop());
    return service;
  }

  async server(file, databaseUrl) {
    const server = await startServer(file, databaseUrl);
    this.atEnd(() => server.stop());
    return server;
  }

  async client(databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    this.atEnd(() => client.end());
    return client;
  }

  atEnd(work) {
    this.#endings.push(work);
  }

  async close() {
    for (const work of this.#endings.reverse()) await work();
  }
}
