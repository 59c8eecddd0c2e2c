import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import differences from '../../apps/cli/variants/variant-b/variant-differences.json';
import { makeOrganisation } from '../support/factories/factories';
import { type CliResult, runCli } from '../support/service/cli';
import { useService } from '../support/service/service';

const ACLS = 'GET /organisations/{organisationId}/acls';
const UPDATE = 'PUT /organisations/{organisationId}';
const WHOAMI = 'GET /whoami';
const ONLY_IN_B = 'docs/variants.md, "Routes that only Variant B has"';

const service = useService('B');

const variants = (...args: string[]): Promise<CliResult> => runCli(service.database, ['variants', ...args]);

const dayOf = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

const used = (
  daysAgo: number,
  [organisationId, program, operation, requests]: [number, string, string, number],
  variant = 'B',
) =>
  service.sql(
    `INSERT INTO variant_usage (day, variant, operation, organisation_id, program, credential, requests)
     VALUES ((now() AT TIME ZONE 'UTC')::date - $1::integer, $2, $3, $4, $5, 'login', $6)`,
    [daysAgo, variant, operation, organisationId, program, requests],
  );

let loud: number;
let quiet: number;
beforeAll(async () => {
  const silent = await makeOrganisation(service);
  loud = await makeOrganisation(service);
  await service.sql`UPDATE organisations SET name = ${'Bakery <b>\u001b[2J'} WHERE id = ${loud}`;
  quiet = await makeOrganisation(service, { name: 'Quiet' });
  await used(0, [loud, 'panelsync', ACLS, 20]);
  await used(3, [loud, 'panelsync', ACLS, 25]);
  await used(2, [loud, 'panelsync', UPDATE, 15]);
  await used(29, [loud, 'other', WHOAMI, 3]);
  await used(5, [quiet, 'okhttp', WHOAMI, 6]);
  // These do not count: what is 30 days old, of Variant A, or of no known organisation.
  await used(30, [silent, 'okhttp', WHOAMI, 100]);
  await used(0, [silent, 'okhttp', WHOAMI, 100], 'A');
  await used(0, [0, 'Chrome', 'POST /login', 100]);
});

describe('cli variants plan', () => {
  it('says who called Variant B with what, how often a day, and what of it is otherwise in Variant A', async () => {
    const [asJson, asCsv, asTable] = await Promise.all([
      variants('plan', '--format', 'json'),
      variants('plan', '--format', 'csv'),
      variants('plan'),
    ]);
    expect(asJson.report).toEqual({
      days: 30,
      organisations: [
        {
          organisationId: loud,
          name: 'Bakery <b>\u001b[2J',
          callsPerDay: 2.1,
          lastCall: dayOf(0),
          programs: [
            {
              program: 'panelsync',
              callsPerDay: 2,
              lastCall: dayOf(0),
              operations: [
                {
                  operation: ACLS,
                  callsPerDay: 1.5,
                  lastCall: dayOf(0),
                  inVariantA: 'not there',
                  section: ONLY_IN_B,
                },
                {
                  operation: UPDATE,
                  callsPerDay: 0.5,
                  lastCall: dayOf(2),
                  inVariantA: 'without request invoiceDay',
                  section: `docs/variants.md, "${UPDATE}"`,
                },
              ],
            },
            {
              program: 'other',
              callsPerDay: 0.1,
              lastCall: dayOf(29),
              operations: [
                {
                  operation: WHOAMI,
                  callsPerDay: 0.1,
                  lastCall: dayOf(29),
                  inVariantA: 'the same, or more',
                  section: null,
                },
              ],
            },
          ],
        },
        expect.objectContaining({
          organisationId: quiet,
          callsPerDay: 0.2,
          lastCall: dayOf(5),
        }),
      ],
    });
    expect(parse(asCsv.output, { columns: true })).toEqual([
      {
        organisationId: String(loud),
        name: 'Bakery <b>\u001b[2J',
        program: 'panelsync',
        operation: ACLS,
        callsPerDay: '1.5',
        lastCall: dayOf(0),
        inVariantA: 'not there',
        section: ONLY_IN_B,
      },
      expect.objectContaining({ program: 'panelsync', operation: UPDATE }),
      expect.objectContaining({ program: 'other', operation: WHOAMI, section: '' }),
      expect.objectContaining({ organisationId: String(quiet), callsPerDay: '0.2' }),
    ]);
    expect(asTable.output).not.toContain('\u001b');
    expect(asTable.output.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' '))).toEqual([
      '2 organisations called Variant B in the last 30 days',
      '',
      'Organisation, program, operation Calls a day Last call In Variant A',
      `${loud} Bakery <b>?[2J 2.1 ${dayOf(0)}`,
      ` panelsync 2 ${dayOf(0)}`,
      ` ${ACLS} 1.5 ${dayOf(0)} not there (${ONLY_IN_B})`,
      ` ${UPDATE} 0.5 ${dayOf(2)} without request invoiceDay (docs/variants.md, "${UPDATE}")`,
      ` other 0.1 ${dayOf(29)}`,
      ` ${WHOAMI} 0.1 ${dayOf(29)} the same, or more`,
      `${quiet} Quiet 0.2 ${dayOf(5)}`,
      ` okhttp 0.2 ${dayOf(5)}`,
      ` ${WHOAMI} 0.2 ${dayOf(5)} the same, or more`,
      '',
    ]);
  });

  it('--days looks at as many days, and 0 exits with 2', async () => {
    const [week, today] = await Promise.all([
      variants('plan', '--days', '6', '--json'),
      variants('plan', '--days', '0'),
    ]);
    const organisationsOf = ({ report }: CliResult) =>
      (report['organisations'] as { organisationId: number; callsPerDay: number }[]).map(
        ({ organisationId, callsPerDay }) => [organisationId, callsPerDay],
      );
    expect(organisationsOf(week)).toEqual([
      [loud, 10],
      [quiet, 1],
    ]);
    expect(today.exitCode).toBe(2);
  });
});

it('cli variants plan names sections that are in docs/variants.md', () => {
  const page = readFileSync(join(__dirname, '../../docs/variants.md'), 'utf8');
  const changed = Object.entries(differences).filter(([, difference]) => !('route' in difference));
  expect(changed.length).toBeGreaterThan(5);
  for (const [operation] of changed) expect(page).toContain(`\n### \`${operation}\`\n`);
  expect(page).toContain('\n## Routes that only Variant B has (');
});
