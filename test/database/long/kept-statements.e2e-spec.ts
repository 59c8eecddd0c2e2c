import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { poolOf } from '@app/platform/database/database-pool';
import { makeCustomer } from '../../support/factories/factories';
import { Interface } from '../../support/generators/interface';
import { useService } from '../../support/service/service';

/** Connections of the service: the one meets all texts. */
const POOL = 1;

/** Statements that a connection may keep, at some 100 kB each. */
const MAX_KEPT = 200;

/** All subsets of some parameters, as query strings. */
const subsetsOf = (parameters: readonly string[]): string[] =>
  parameters.reduce<string[]>(
    (subsets, parameter) => [...subsets, ...subsets.map((subset) => `${subset}&${parameter}`)],
    [''],
  );

describe('GET /organisations, asked for in every way,', () => {
  const service = useService('A', { settings: { databasePool: POOL } });

  /** How many statements each connection of the service keeps. */
  async function keptStatements(): Promise<number[]> {
    const pool = poolOf(service.app.get<DataSource>(getDataSourceToken()));
    const clients = await Promise.all(Array.from({ length: POOL }, () => pool.connect()));
    try {
      const counts: number[] = [];
      for (const client of clients) {
        const { rows } = await client.query<{ count: number }>(
          'SELECT count(*)::integer AS count FROM pg_prepared_statements',
        );
        counts.push(rows[0]?.count ?? NaN);
      }
      return counts;
    } finally {
      for (const client of clients) client.release();
    }
  }

  it('leaves PostgreSQL with 200 statements to keep at most', async () => {
    const { plain } = await makeCustomer(service);
    const description = await Interface.of(service);
    const route = description.routes.find(
      ({ method, path }) => method === 'GET' && /^\/v1\/organisations$/.test(path),
    );
    const orders = route?.described.parameters?.find(({ name }) => name === 'orderBy')?.schema as
      { enum: string[] } | undefined;
    const fields = ['id', ...(orders?.enum ?? [])].filter((field) => field !== 'id').slice(0, 14);
    const searches = subsetsOf(['filter=a', 'name=b', 'taxNumber=c', 'userEmail=d']);
    const paths = fields.flatMap((field) =>
      ['ASC', 'DESC'].flatMap((direction) =>
        searches.map((search) => `/organisations?limit=1&orderBy=${field}&orderType=${direction}${search}`),
      ),
    );
    expect(paths.length).toBeGreaterThan(400);
    const statuses = new Set<number>();
    for (let from = 0; from < paths.length; from += 10) {
      const responses = await Promise.all(
        paths.slice(from, from + 10).map((path, index) => {
          return plain.client.get(index % 2 === 0 ? path : `${path}&format=csv`);
        }),
      );
      for (const { status } of responses) statuses.add(status);
    }
    // 400: an order by what only admins are shown.
    expect([...statuses].filter((status) => status !== 400)).toEqual([200]);
    await plain.client.get('/organisations').expect(200);
    for (const count of await keptStatements()) {
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(MAX_KEPT);
    }
  });
});
