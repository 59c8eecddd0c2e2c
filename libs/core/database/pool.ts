import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** The connection pool of TypeORM's PostgreSQL driver: its documented `master`, which the driver's interface leaves out. */
export function poolOf({ driver }: DataSource): Pool {
  return (driver as unknown as { readonly master: Pool }).master;
}
