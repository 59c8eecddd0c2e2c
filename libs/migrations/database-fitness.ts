import { OperatorError } from '@app/config/operator-errors';

/** A database that the service cannot use, whatever its settings are. */
class UnfitDatabase extends OperatorError {}

interface Connection {
  query(text: string): Promise<{ rows: unknown[] }>;
}

interface Found {
  readonly encoding: string;
  readonly hasIcu: boolean;
}

/** Lists are ordered, and texts compared, by the root collation of ICU. */
const FOUND = `
  SELECT current_setting('server_encoding') AS encoding,
    EXISTS (SELECT FROM pg_collation WHERE collnamespace = 'pg_catalog'::regnamespace AND collname = 'und-x-icu') AS "hasIcu"`;

/** Throws an error for a database with another encoding than UTF-8, and for a server without ICU. */
export async function assertFit(connection: Connection): Promise<void> {
  const { rows } = await connection.query(FOUND);
  const { encoding, hasIcu } = rows[0] as Found;
  if (encoding !== 'UTF8') {
    throw new UnfitDatabase(
      `the database has the encoding ${encoding}, which lacks letters of names: make one with ` +
        `ENCODING 'UTF8' TEMPLATE template0, as deploy/postgres-role.sh does`,
    );
  }
  if (!hasIcu) {
    throw new UnfitDatabase(
      'the server of the database has no collation und-x-icu, by which names are compared and ' +
        'ordered: use a PostgreSQL that is built with ICU, as the images and packages of PostgreSQL ' +
        'are',
    );
  }
}
