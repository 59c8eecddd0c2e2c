import type { Client } from 'pg';
import type { ReachableService } from './service';

/** SQL on one connection, a statement at a time: whoever makes rows side by side asks for many at once. */
export function serialSql(client: Client): ReachableService['sql'] {
  let last: Promise<unknown> = Promise.resolve();
  return <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const result = last.then(() => client.query<Row>(text, [...values]));
    last = result.catch(() => undefined);
    return result.then(({ rows }) => rows);
  };
}
