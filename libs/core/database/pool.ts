import type { DataSource } from 'typeorm';
import type { DatabasePool } from './database-pool';

/** The connection pool of TypeORM's PostgreSQL driver: its documented `master`, which the driver's interface leaves out. */
export function poolOf({ driver }: DataSource): DatabasePool {
  return (driver as unknown as { readonly master: DatabasePool }).master;
}
