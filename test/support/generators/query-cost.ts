import { Client } from 'pg';

interface SentQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  /** Pages of tables and indexes, of the node and those beneath it. */
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * How many rows PostgreSQL passed from node to node, or looked at in vain, for all that a request asked of
 * it: each of its statements is run once more, with its plan. Unlike a time, it is the same on every machine.
 */
export const rowWorkOf = (databaseUrl: string, request: () => Promise<unknown>): Promise<number> =>
  sumOfPlans(databaseUrl, request, workOf);

/**
 * How many pages of tables and indexes PostgreSQL looked at for all that a request asked of
 * it, counted in the same way.
 */
export const pageWorkOf = (databaseUrl: string, request: () => Promise<unknown>): Promise<number> =>
  sumOfPlans(databaseUrl, request, pagesOf);

/** The same for one statement, whose changes are undone. */
export async function pagesOfUndone(
  databaseUrl: string,
  text: string,
  values: readonly unknown[],
): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    return await figureOfPlan(client, { text, values }, pagesOf);
  } finally {
    await client.end();
  }
}

const pagesOf = (root: PlanNode): number => root['Shared Hit Blocks'] + root['Shared Read Blocks'];

async function figureOfPlan(
  client: Client,
  { text, values }: SentQuery,
  figureOf: (root: PlanNode) => number,
): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
    [...values],
  );
  return rows.reduce((sum, row) => sum + figureOf(row['QUERY PLAN'][0].Plan), 0);
}

async function sumOfPlans(
  databaseUrl: string,
  request: () => Promise<unknown>,
  figureOf: (root: PlanNode) => number,
): Promise<number> {
  const queries = await queriesOf(request);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SET jit = off');
    let sum = 0;
    for (const query of queries) {
      if (/^\s*(BEGIN|COMMIT|ROLLBACK)/.test(query.text)) await client.query(query.text);
      else if (/^\s*(\/\*.*?\*\/\s*)?(SELECT|WITH|DECLARE)/.test(query.text))
        sum += await figureOfPlan(client, query, figureOf);
    }
    return sum;
  } finally {
    await client.end();
  }
}

async function queriesOf(request: () => Promise<unknown>): Promise<SentQuery[]> {
  const spy = jest.spyOn(Client.prototype, 'query');
  try {
    await request();
    return (spy.mock.calls as unknown as [string | SentQuery, unknown[]?][]).map(([query, values]) =>
      typeof query === 'string'
        ? { text: query, values: Array.isArray(values) ? values : [] }
        : { text: query.text, values: query.values ?? [] },
    );
  } finally {
    spy.mockRestore();
  }
}

function workOf(node: PlanNode): number {
  const rows =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const beneath = (node.Plans ?? []).reduce((sum, child) => sum + workOf(child), 0);
  return rows * node['Actual Loops'] + beneath;
}
