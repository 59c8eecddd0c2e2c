import { readFileSync, statSync } from 'node:fs';
import { runCli, type CliResult } from '../support/service/cli';
import { useFiles } from '../support/service/files';
import { makeOrganisation } from '../support/factories/factories';
import { startTestService, useService } from '../support/service/service';

const HOSTILE = `<script>alert("1")</script> & 'Co'\u001b[2J`;

const service = useService('A');
let quiet: number;
let loud: number;
const files = useFiles();

const usage = (...args: string[]): Promise<CliResult> =>
  runCli(service.database, ['variants', 'usage', ...args]);

/** A row of so many days ago. */
const used = (
  daysAgo: number,
  organisationId: number,
  operation: string,
  program: string,
  requests: number,
  variant = 'B',
) =>
  service.sql(
    `INSERT INTO variant_usage (day, variant, operation, organisation_id, program, credential, requests)
     VALUES ((now() AT TIME ZONE 'UTC')::date - $1::integer, $2, $3, $4, $5, $6, $7)`,
    [daysAgo, variant, operation, organisationId, program, organisationId === 0 ? 'none' : 'login', requests],
  );

const dayOf = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

const ACLS = 'GET /organisations/{organisationId}/acls';
const UPDATE = 'PUT /organisations/{organisationId}';

beforeAll(async () => {
  quiet = await makeOrganisation(service, { name: 'Quiet' });
  loud = await makeOrganisation(service, { name: HOSTILE });
  await used(0, loud, ACLS, 'panelsync', 12);
  await used(1, loud, UPDATE, 'Chrome', 3);
  await used(1, loud, 'GET /whoami', 'Chrome', 5);
  await used(40, quiet, 'GET /whoami', 'okhttp', 7);
  await used(41, quiet, ACLS, 'okhttp', 1);
  await used(0, 0, 'POST /login', 'Chrome', 2);
  // Another variant's calls stand beside them.
  await used(0, quiet, 'GET /whoami', 'okhttp', 100, 'A');
});

describe('cli variants usage', () => {
  it('tells who calls, with what, what of it exists there alone, and since when nobody does', async () => {
    const { exitCode, report, messages } = await usage('--json', '--days', '30');
    expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
    expect(report).toMatchObject({ variant: 'B', from: dayOf(29), to: dayOf(0), requests: 22 });
    expect(report['customers']).toEqual([
      {
        organisationId: loud,
        name: HOSTILE,
        requests: 20,
        firstDay: dayOf(1),
        lastDay: dayOf(0),
        silentDays: 0,
        programs: ['Chrome', 'panelsync'],
        credentials: ['login'],
        onlyHere: [ACLS, UPDATE],
      },
      {
        organisationId: 0,
        name: null,
        requests: 2,
        firstDay: dayOf(0),
        lastDay: dayOf(0),
        silentDays: 0,
        programs: ['Chrome'],
        credentials: ['none'],
        onlyHere: [],
      },
      {
        organisationId: quiet,
        name: 'Quiet',
        requests: 0,
        firstDay: dayOf(41),
        lastDay: dayOf(40),
        silentDays: 40,
        programs: ['okhttp'],
        credentials: ['login'],
        onlyHere: [ACLS],
      },
    ]);
    const programs = report['programs'] as { program: string; silentDays: number; organisations: number }[];
    expect(
      programs.map(({ program, silentDays, organisations }) => [program, silentDays, organisations]),
    ).toEqual([
      ['panelsync', 0, 1],
      ['Chrome', 0, 1],
      ['okhttp', 40, 1],
    ]);
    const operations = report['operations'] as {
      operation: string;
      isOnlyHere: boolean;
      partsOnlyHere: string[];
    }[];
    expect(
      Object.fromEntries(
        operations.map(({ operation, isOnlyHere, partsOnlyHere }) => [
          operation,
          [isOnlyHere, partsOnlyHere],
        ]),
      ),
    ).toEqual({
      [ACLS]: [true, []],
      [UPDATE]: [false, ['request invoiceDay']],
      'GET /whoami': [false, []],
      'POST /login': [false, []],
    });
    expect(report['days']).toHaveLength(30);
    expect((report['days'] as object[]).slice(-2)).toEqual([
      { day: dayOf(1), requests: 8, organisations: 1 },
      { day: dayOf(0), requests: 14, organisations: 1 },
    ]);
  });

  it('says it in lines that cannot steer the terminal', async () => {
    const { output } = await usage();
    expect(output).toContain('Customers (3)');
    expect(output).toMatch(
      new RegExp(`^ {2}${quiet} +Quiet +8 +${dayOf(40)} +40 days, since ${dayOf(40)} +okhttp`, 'm'),
    );
    expect(output).not.toContain('\u001b');
    expect(output).toMatch(/GET \/organisations\/\{organisationId\}\/acls +2 +13 .* not there/);
    expect(output).toMatch(/PUT \/organisations\/\{organisationId\} .* without request invoiceDay/);
  });

  it('draws a page that needs nothing from elsewhere and runs nothing', async () => {
    const file = files.path('usage.html');
    expect(await usage('--html', file, '--days', '45')).toMatchObject({ exitCode: 0 });
    const page = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(page).not.toMatch(/<script|javascript:|https?:|src=|href=|@import|\son\w+=/i);
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#x27;Co&#x27;');
    expect(page).toContain(`default-src 'none'`);
    expect(page.match(/<rect class="bar"/g)).toHaveLength(45);
    expect(page).toContain(`<title>${dayOf(40)}: 7 requests of 1 customers</title>`);
    // Whatever is open is closed.
    for (const tag of ['table', 'tr', 'td', 'svg', 'body', 'html']) {
      expect([tag, page.split(`<${tag}`).length]).toEqual([tag, page.split(`</${tag}>`).length]);
    }
    expect(await usage('--html', file)).toMatchObject({
      exitCode: 1,
      messages: [`error: ${file} exists already`],
    });
  });

  it('says so where nobody called, and refuses what is no variant and no number of days', async () => {
    await using empty = await startTestService('A');
    const { output } = await runCli(empty.database, ['variants', 'usage']);
    expect(output).toBe('Variant B has no stored calls\n');
    expect(await usage('--variant', 'C')).toMatchObject({ exitCode: 2 });
    expect(await usage('--days', '0')).toMatchObject({ exitCode: 2 });
    expect((await usage('--variant', 'A', '--json')).report).toMatchObject({ variant: 'A', requests: 100 });
  });
});
