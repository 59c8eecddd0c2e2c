import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { Response } from 'supertest';
import { type Call, Deployment, servedPath } from '../../../qa/deployment';
import { SCENARIOS } from '../../../qa/scenarios/all';
import { type Variant, VARIANTS } from '../../../qa/variants';
import { writtenOut } from '../../../tools/docs/written-out.cjs';
import { transactionBeside, untilBlocked } from '../../support/faults/locks';
import { useMailServer } from '../../support/faults/smtp';
import { triedRoutes } from '../../support/generators/own-routes';
import { beginSession, expectAsWritten } from '../../support/service/scenario-runs';
import { type TestService, useService } from '../../support/service/service';
import { testHooksOf } from '../../support/service/test-hooks';

/** Operations with a credential that change nothing, whatever their method. */
const READS = ['introspect', 'authLogin'];

/** The tables of credentials, of which only the number of rows is compared: uses are written at any time. */
const CREDENTIALS = ['logins', 'api_keys', 'service_keys'];
/** Counts, which are written whatever becomes of the request. */
const WRITTEN_APART = ['attempts', 'variant_usage', 'variant_programs'];

const TABLES = `
  SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relnamespace IN (current_schema()::regnamespace, 'graphile_worker'::regnamespace)
    AND c.relkind = 'r' AND c.relname <> ALL ($1) ORDER BY 1`;

interface Write {
  readonly operation: string;
  readonly method: string;
  readonly path: RegExp;
}

/** The writes that ask for a credential and are tried in the variant. */
function writesOf(variant: Variant): Write[] {
  const file = join(__dirname, `../../../docs/openapi-${variant.toLowerCase()}.json`);
  const { paths } = writtenOut(JSON.parse(readFileSync(file, 'utf8')) as object) as {
    paths: Record<string, Record<string, { operationId: string; security?: unknown[] }>>;
  };
  const tried = triedRoutes(variant);
  const isTried = (method: string, path: string): boolean =>
    tried.has(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { security }]) => /^(post|put|patch|delete)$/.test(method) && security?.length !== 0)
      .filter(([method]) => isTried(method, path))
      .map(([method, { operationId: operation }]) => ({
        operation,
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      })),
  );
}

/** Sends each write first while its credential ends, which commits once the write waits for it. */
class EndingDeployment extends Deployment {
  /** By operation: what was wrong; none if nothing was. */
  readonly ended = new Map<string, string[]>();
  private tables: readonly string[] = [];

  constructor(
    private readonly service: TestService,
    private readonly writes: readonly Write[],
  ) {
    super(service.url);
  }

  override async send(call: Call): Promise<Response> {
    const path = servedPath(call.path).replace(/\?.*/, '');
    const operation = this.writes.find(
      (write) => write.method === call.method && write.path.test(path),
    )?.operation;
    if (operation === undefined || call.hash === undefined || this.ended.has(operation)) {
      return super.send(call);
    }
    const before = await this.state();
    await using beside = await transactionBeside(this.service);
    const end = await endCredential(beside, call.hash);
    if (end === undefined) return super.send(call);
    const answer = super.send(call);
    await untilBlocked(this.service, answer);
    await beside.query('COMMIT');
    const refused = await answer;
    await end.undo();
    // Refused for another reason: it says nothing here.
    if (refused.status >= 400 && refused.status !== 401) return super.send(call);
    const after = await this.state();
    const faults = [
      ...(refused.status === 401 ? [] : [`responds ${refused.status}`]),
      ...(after === before ? [] : ['changes something']),
    ];
    this.ended.set(operation, faults);
    return faults.length === 0 ? super.send(call) : refused;
  }

  /** Everything that is stored, in one text. */
  private async state(): Promise<string> {
    if (this.tables.length === 0) {
      const found = await this.service.sql<{ name: string }>(TABLES, [WRITTEN_APART]);
      this.tables = found.map(({ name }) => name);
    }
    const contents = this.tables.map((name) =>
      CREDENTIALS.includes(name)
        ? `(SELECT count(*)::text FROM ${name})`
        : `(SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${name} t)`,
    );
    const [row] = await this.service.sql<{ state: string }>(
      `SELECT concat_ws(' ', ${contents.join(', ')}) AS state`,
    );
    return (row as { state: string }).state;
  }
}

/** Deletes the credential in the transaction, without what triggers do; undefined if there is none. */
async function endCredential(
  beside: Client,
  hash: string,
): Promise<{ readonly undo: () => Promise<void> } | undefined> {
  await beside.query(`SET session_replication_role = replica`);
  for (const table of CREDENTIALS) {
    const { rows } = await beside.query<{ kept: object }>(
      `DELETE FROM ${table} t WHERE digest = sha256(convert_to($1, 'UTF8')) RETURNING to_jsonb(t) AS kept`,
      [hash],
    );
    const [row] = rows;
    if (row === undefined) continue;
    const undo = async (): Promise<void> => {
      await beside.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1)`, [
        row.kept,
      ]);
    };
    return { undo };
  }
  return undefined;
}

describe.each(VARIANTS)('a credential of Variant %s that ends while a write is under way', (variant) => {
  const mailServer = useMailServer();
  const service = useService(variant, () => ({ settings: { smtpUrl: mailServer.url } }));

  it('refuses every write of the interface with 401, and nothing of it is stored', async () => {
    const writes = writesOf(variant).filter(({ operation }) => !READS.includes(operation));
    const deployment = new EndingDeployment(service, writes);
    const session = await beginSession(service, variant, testHooksOf(service, mailServer), deployment);
    const scenarios = SCENARIOS.filter(({ needs = [] }) => !needs.includes('clock'));
    try {
      await expectAsWritten(scenarios, session);
    } finally {
      expect([...deployment.ended].filter(([, faults]) => faults.length > 0)).toEqual([]);
    }
    await session.end();
    const asked = writes.map(({ operation }) => operation);
    expect([...deployment.ended.keys()].sort()).toEqual(asked.sort());
  });
});
