import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  async service(databaseUrl, settings, flags) {
    const service = await startService(databaseUrl, settings, flags);
    this.atEnd(() => service.stop());
    return service;
  }

  async server(file, databaseUrl, flags) {
    const server = await startServer(file, databaseUrl, flags);
    this.atEnd(() => server.stop());
    return server;
  }

  async client(databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    this.atEnd(() => client.end());
    return client;
  }

  folder() {
    const path = mkdtempSync(join(tmpdir(), 'account-bench-files-'));
    this.atEnd(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  atEnd(work) {
    this.#endings.push(work);
  }

  async close() {
    for (const work of this.#endings.reverse()) await work();
  }
}
