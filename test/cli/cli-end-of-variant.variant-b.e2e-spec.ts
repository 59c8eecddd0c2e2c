import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { type MailMessage, MailTransport } from '@app/mail/mail-transport';
import differences from '../../apps/cli/variants/variant-b/variant-differences.json';
import { makeCustomer, makeOrganisation, makeUser } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { auditRows } from '../support/service/audit';
import { type CliResult, runCli } from '../support/service/cli';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

const ACLS = 'GET /organisations/{organisationId}/acls';
const UPDATE = 'PUT /organisations/{organisationId}';
const WHOAMI = 'GET /whoami';
const ONLY_IN_B = 'docs/variants.md, "Routes that only Variant B has"';

const DATES = { VARIANT_B_DEPRECATED: '2037-03-01', VARIANT_B_SUNSET: '2037-06-30' };

/** The first is over. */
const BROWNOUTS = '2024-03-01T10:00Z/15m,2037-04-01T10:00Z/15m';

const sent: MailMessage[] = [];
const transport: MailTransport = {
  deliver: (message) => {
    sent.push(message);
    return Promise.resolve();
  },
};
const service = useService('B', { overrides: [[MailTransport, transport]] });

const variants = (...args: string[]): Promise<CliResult> =>
  runCli(service.database, ['variants', ...args], {
    env: { ...DATES, VARIANT_B_BROWNOUTS: BROWNOUTS, PUBLIC_URL: 'https://api.example' },
  });

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

let reseller: number;
let loud: number;
let quiet: number;
beforeAll(async () => {
  reseller = await makeOrganisation(service, { name: 'Reseller' });
  const customer = await makeCustomer(service, { resellerId: reseller });
  loud = customer.organisationId;
  await service.sql`UPDATE organisations SET name = ${'Bakery <b>\u001b[2J'} WHERE id = ${loud}`;
  quiet = await makeOrganisation(service, { name: 'Quiet' });
  await used(0, [loud, 'panelsync', ACLS, 20]);
  await used(3, [loud, 'panelsync', ACLS, 25]);
  await used(2, [loud, 'panelsync', UPDATE, 15]);
  await used(29, [loud, 'other', WHOAMI, 3]);
  await used(5, [quiet, 'okhttp', WHOAMI, 6]);
  // Neither longer ago, nor of Variant A, nor of nobody known.
  await used(30, [reseller, 'okhttp', WHOAMI, 100]);
  await used(0, [reseller, 'okhttp', WHOAMI, 100], 'A');
  await used(0, [0, 'Chrome', 'POST /login', 100]);

  const { id: french } = await makeUser(service, { organisationId: loud, roles: ['ROLE_CUSTADMIN'] });
  const { id: english } = await makeUser(service, { organisationId: loud, roles: ['ROLE_CUSTADMIN'] });
  const { id: gone } = await makeUser(service, {
    organisationId: loud,
    roles: ['ROLE_CUSTADMIN'],
    enabled: false,
  });
  await service.sql`UPDATE users SET language = CASE id WHEN ${french} THEN 'fr' ELSE 'en' END
    WHERE id IN (${french}, ${english})`;
  const groups = ['System'];
  await makeContact(service, { organisationId: loud, name: 'bakery@example.com', groups });
  await makeContact(service, { organisationId: loud, userId: french, name: 'marie@example.com', groups });
  await makeContact(service, { organisationId: loud, userId: english, name: 'john@example.com', groups });
  await makeContact(service, { organisationId: loud, userId: english, name: 'BAKERY@example.com', groups });
  await makeContact(service, { organisationId: loud, userId: gone, name: 'gone@example.com', groups });
  await makeContact(service, {
    organisationId: loud,
    userId: customer.plain.id,
    name: 'plain@example.com',
    groups,
  });
  await makeContact(service, { organisationId: loud, name: 'finance@example.com', groups: ['Finance'] });
});
afterEach(async () => {
  await service.sql`DELETE FROM variant_announcements`;
  await service.sql`DELETE FROM variant_exemptions`;
});

describe('cli variants plan', () => {
  const exempt = () =>
    service.sql`INSERT INTO variant_exemptions (organisation_id, beneath, ends_at)
      VALUES (${reseller}, true, '2037-05-01T00:00Z'), (${loud}, false, now()), (${quiet}, true, '2020-01-01T00:00Z')`;

  it('tells who called with what, how often a day, and what of it is otherwise in Variant A', async () => {
    await exempt();
    const [asJson, asCsv, asTable] = await Promise.all([
      variants('plan', '--format', 'json'),
      variants('plan', '--format', 'csv'),
      variants('plan'),
    ]);
    expect(asJson.report).toEqual({
      days: 30,
      warnings: [],
      organisations: [
        {
          organisationId: loud,
          name: 'Bakery <b>\u001b[2J',
          exemptUntil: '2037-05-01',
          callsPerDay: 2.1,
          lastCall: dayOf(0),
          programs: [
            {
              program: 'panelsync',
              exemptUntil: null,
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
              exemptUntil: null,
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
          exemptUntil: null,
          callsPerDay: 0.2,
          lastCall: dayOf(5),
        }),
      ],
    });
    expect(parse(asCsv.output, { columns: true })).toEqual([
      {
        organisationId: String(loud),
        name: 'Bakery <b>\u001b[2J',
        exemptUntil: '2037-05-01',
        program: 'panelsync',
        programExemptUntil: '',
        operation: ACLS,
        callsPerDay: '1.5',
        lastCall: dayOf(0),
        inVariantA: 'not there',
        section: ONLY_IN_B,
      },
      expect.objectContaining({ program: 'panelsync', operation: UPDATE }),
      expect.objectContaining({ program: 'other', operation: WHOAMI, section: '' }),
      expect.objectContaining({ organisationId: String(quiet), exemptUntil: '', callsPerDay: '0.2' }),
    ]);
    expect(asTable.output).not.toContain('\u001b');
    expect(asTable.output.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' '))).toEqual([
      '2 organisations called Variant B in the last 30 days',
      '',
      'Organisation, program, operation Calls a day Last call In Variant A',
      `${loud} Bakery <b>?[2J 2.1 ${dayOf(0)} exempt until 2037-05-01`,
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

  it('warns of clients that lose something in a brown-out, until they are exempt', async () => {
    const LVL =
      'level27_lvl of 1 organisation: lvl from 1.7 takes an error at login for success and overwrites its stored key with nothing; brown-outs serve the login, a service that is switched off does not. Move it or exempt it before the first brown-out: variants exempt --program level27_lvl --until DATE';
    const TERRAFORM =
      'go-http-client of 2 organisations: the Terraform provider of 2021 names itself so, as other Go programs do: it takes an organisation that it cannot read for gone, and makes a second one at the next apply. Move it or exempt it before the first brown-out: variants exempt --program go-http-client --until DATE';
    await used(1, [loud, 'level27_lvl', WHOAMI, 1]);
    await used(1, [loud, 'go-http-client', WHOAMI, 1]);
    await used(1, [quiet, 'go-http-client', WHOAMI, 1]);
    try {
      const [asTable, asJson, announced] = await Promise.all([
        variants('plan'),
        variants('plan', '--json'),
        variants('announce', '--dry-run', '--json'),
      ]);
      expect(asTable.messages).toEqual([`warning: ${LVL}`, `warning: ${TERRAFORM}`]);
      expect(asJson.report['warnings']).toEqual([LVL, TERRAFORM]);
      expect(announced.report['warnings']).toEqual([LVL, TERRAFORM]);
      expect(announced.messages).toEqual([`warning: ${LVL}`, `warning: ${TERRAFORM}`]);

      await service.sql`INSERT INTO variant_exemptions (organisation_id, program, beneath, ends_at)
        VALUES (${loud}, NULL, false, '2037-05-01T00:00Z'), (NULL, 'okhttp', false, '2037-06-01T00:00Z')`;
      const { report, output } = await variants('plan', '--json');
      expect(report['warnings']).toEqual([TERRAFORM.replace('2 organisations', '1 organisation')]);
      expect(output).toContain('"program":"okhttp","exemptUntil":"2037-06-01"');
      const { output: table } = await variants('plan');
      expect(table).toMatch(/^ {2}okhttp .* exempt until 2037-06-01$/m);
    } finally {
      await service.sql`DELETE FROM variant_usage WHERE program IN ('level27_lvl', 'go-http-client')`;
    }
  });

  it('looks at as many days as it is told', async () => {
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

it('the sections that a plan names are in docs/variants.md', () => {
  const page = readFileSync(join(__dirname, '../../docs/variants.md'), 'utf8');
  const changed = Object.entries(differences).filter(([, difference]) => !('route' in difference));
  expect(changed.length).toBeGreaterThan(5);
  for (const [operation] of changed) expect(page).toContain(`\n### \`${operation}\`\n`);
  expect(page).toContain('\n## Routes that only Variant B has (');
});

describe('cli variants announce', () => {
  it('shows in a dry run the mail to each contact in its language, and sends none', async () => {
    await service.sql`INSERT INTO variant_exemptions (organisation_id, beneath, ends_at)
      VALUES (${loud}, false, '2037-05-01T00:00Z')`;
    const [asLines, { report }] = await Promise.all([
      variants('announce', '--dry-run'),
      variants('announce', '--dry-run', '--json'),
    ]);
    const mails = {
      nl: {
        subject: 'Variant B van onze interface stopt op 30 juni 2037',
        text: [
          'Goedendag,',
          '',
          'In de afgelopen 30 dagen hebben deze programma’s van Bakery <b>\u001b[2J Variant B van onze interface gebruikt:',
          '- panelsync',
          '- een programma zonder naam',
          '',
          'Variant B is verouderd vanaf 1 maart 2037 en stopt op 30 juni 2037. Daarna krijgen deze programma’s geen antwoord meer.',
          '',
          'Stap voor die dag over op Variant A. De beschrijving van de interface vindt u hier: https://api.example/docs',
          '',
          'Op deze tijden is Variant B bij wijze van proef uitgeschakeld (antwoord 503):',
          '- 1 april 2037 om 10:00 UTC – 1 april 2037 om 10:15 UTC',
          '',
          'Uw organisatie is tot 1 mei 2037 vrijgesteld van tijdelijke uitschakelingen van Variant B.',
          '',
        ],
      },
      en: {
        subject: 'Variant B of our interface ends on 30 June 2037',
        text: [
          'Hello,',
          '',
          'In the last 30 days, these programs of Bakery <b>\u001b[2J called Variant B of our interface:',
          '- panelsync',
          '- a program without a name',
          '',
          'Variant B is deprecated from 1 March 2037 and ends on 30 June 2037. After that these programs get no response.',
          '',
          'Please move to Variant A before that day. The interface is described here: https://api.example/docs',
          '',
          'At these times Variant B is switched off as a rehearsal (response 503):',
          '- 1 April 2037 at 10:00 UTC – 1 April 2037 at 10:15 UTC',
          '',
          'Your organisation is exempt from temporary switch-offs of Variant B until 1 May 2037.',
          '',
        ],
      },
      fr: {
        subject: 'La variante B de notre interface s’arrête le 30 juin 2037',
        text: [
          'Bonjour,',
          '',
          'Au cours des 30 derniers jours, ces programmes de l’organisation Bakery <b>\u001b[2J ont utilisé la variante B de notre interface :',
          '- panelsync',
          '- un programme sans nom',
          '',
          'La variante B est obsolète à partir du 1er mars 2037 et s’arrête le 30 juin 2037. Ensuite, ces programmes ne recevront plus de réponse.',
          '',
          'Passez à la variante A avant cette date. L’interface est décrite ici : https://api.example/docs',
          '',
          'À ces moments, la variante B est désactivée à titre d’essai (réponse 503) :',
          '- 1er avril 2037 à 10:00 UTC – 1er avril 2037 à 10:15 UTC',
          '',
          'Votre organisation est exemptée des coupures temporaires de la variante B jusqu’au 1er mai 2037.',
          '',
        ],
      },
    };
    const [told, nobody] = report['organisations'] as {
      state: string;
      recipients: object[];
      mails: { language: keyof typeof mails; subject: string; text: string }[];
    }[];
    expect(told).toMatchObject({
      state: 'told',
      recipients: [
        { to: 'BAKERY@example.com', language: 'en' },
        { to: 'john@example.com', language: 'en' },
        { to: 'marie@example.com', language: 'fr' },
      ],
    });
    expect(told?.mails.map(({ language }) => language)).toEqual(['en', 'fr']);
    for (const { language, subject, text } of told?.mails ?? []) {
      expect(subject).toBe(mails[language].subject);
      expect(text.split('\n').slice(0, mails[language].text.length)).toEqual(mails[language].text);
    }
    expect(nobody).toMatchObject({ organisationId: quiet, state: 'nobodyToTell', recipients: [] });
    expect(asLines.output).not.toContain('\u001b');
    expect(asLines.output).toContain(
      '1 organisations would be told, 0 were told before, 1 have nobody to tell',
    );
    expect(await service.sql`SELECT 1 FROM variant_announcements`).toEqual([]);
    await runJobs(service);
    expect(sent).toEqual([]);
  });

  it('tells an organisation once in 30 days, whatever runs at once', async () => {
    const runs = await Promise.all([variants('announce', '--json'), variants('announce', '--json')]);
    const statesOf = ({ report }: CliResult) =>
      (report['organisations'] as { state: string }[]).map(({ state }) => state);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(runs.map(statesOf).sort()).toEqual([
      ['told', 'nobodyToTell'],
      ['toldBefore', 'nobodyToTell'],
    ]);
    await runJobs(service);
    expect(sent.map(({ to }) => to).sort()).toEqual([
      'BAKERY@example.com',
      'john@example.com',
      'marie@example.com',
    ]);
    for (const { text } of sent) expect(text).not.toMatch(/exempt/i);
    sent.length = 0;

    const age = (days: number) =>
      service.sql`UPDATE variant_announcements SET announced_at = now() - make_interval(days => ${days})`;
    await age(29);
    const trial = await variants('announce', '--dry-run', '--json');
    await age(30);
    const again = await variants('announce', '--json');
    expect([trial, again].map(statesOf)).toEqual([
      ['toldBefore', 'nobodyToTell'],
      ['told', 'nobodyToTell'],
    ]);
  });
});

describe('cli variants exempt', () => {
  const rows = () =>
    service.sql`SELECT organisation_id AS id, beneath, ends_at AS until FROM variant_exemptions`;

  it('gives, changes and takes back an exemption, and the audit log has it', async () => {
    const first = await variants('exempt', String(loud), '--until', '2037-04-01');
    expect(first).toMatchObject({ exitCode: 0, output: `Organisation ${loud} is exempt until 2037-04-01\n` });
    expect(await rows()).toEqual([{ id: loud, beneath: false, until: new Date('2037-04-01') }]);
    const above = await variants('exempt', String(reseller), '--until', '2037-05-01', '--beneath', '--json');
    expect(above.report).toEqual({ organisationId: reseller, exemptUntil: '2037-05-01' });
    const ended = await variants('exempt', String(loud), '--end');
    expect(ended.output).toBe(`Organisation ${loud} is exempt until 2037-05-01\n`);
    expect(await rows()).toEqual([{ id: reseller, beneath: true, until: new Date('2037-05-01') }]);
    const changed = await variants('exempt', String(reseller), '--until', '2037-03-01');
    expect(changed.exitCode).toBe(0);
    expect(await rows()).toEqual([{ id: reseller, beneath: false, until: new Date('2037-03-01') }]);
    const audited = await auditRows(service, `request_id = 'variants exempt' AND organisation_id = ${loud}`);
    expect(audited.map(({ action, actor_credential_kind: kind }) => [action, kind])).toEqual([
      ['insert', 'command'],
      ['delete', 'command'],
    ]);
  });

  it('exempts a program by its name, and the audit log has it', async () => {
    const programs = () => service.sql`SELECT program, ends_at AS until FROM variant_exemptions`;
    const first = await variants('exempt', '--program', 'PanelSync', '--until', '2037-04-01');
    expect(first).toMatchObject({ exitCode: 0, output: 'Program panelsync is exempt until 2037-04-01\n' });
    expect(first.messages).toEqual([]);
    const second = await variants('exempt', '--program', 'panelsync', '--until', '2037-05-01', '--json');
    expect(second.report).toEqual({ program: 'panelsync', exemptUntil: '2037-05-01' });
    expect(await programs()).toEqual([{ program: 'panelsync', until: new Date('2037-05-01') }]);
    const ended = await variants('exempt', '--program', 'panelsync', '--end');
    expect(ended.output).toBe('Program panelsync is not exempt\n');
    expect(await programs()).toEqual([]);
    const audited = await auditRows(service, `request_id = 'variants exempt' AND organisation_id IS NULL`);
    expect(audited.map(({ action, request_id: request }) => [action, request])).toEqual([
      ['insert', 'variants exempt'],
      ['update', 'variants exempt'],
      ['delete', 'variants exempt'],
    ]);
    const misspelt = await variants('exempt', '--program', 'panelsink', '--until', '2037-04-01');
    expect(misspelt).toMatchObject({
      exitCode: 0,
      messages: ['no call of panelsink has been counted: "variants plan" lists the programs'],
    });
  });

  it('refuses what makes no sense, and changes nothing', async () => {
    const results = await Promise.all([
      variants('exempt', '999999', '--until', '2037-04-01'),
      variants('exempt', String(quiet), '--end'),
      variants('exempt', String(quiet), '--end', '--until', '2037-04-01'),
      variants('exempt', String(quiet), '--end', '--beneath'),
      variants('exempt', String(quiet), '--program', 'panelsync', '--until', '2037-04-01'),
      variants('exempt', '--until', '2037-04-01'),
      variants('exempt', '--program', 'panelsync', '--until', '2037-04-01', '--beneath'),
      variants('exempt', '--program', 'other', '--until', '2037-04-01'),
      variants('exempt', '--program', 'panelsync', '--end'),
      variants('exempt', String(quiet), '--until', '2037-02-30'),
      variants('exempt', String(quiet), '--until', '2020-01-01'),
      runCli(service.database, ['variants', 'announce'], { env: { VARIANT_B_SUNSET: '2037-06-30' } }),
    ]);
    expect(results.map(({ exitCode, messages }) => [exitCode, messages.at(-1)])).toEqual([
      [1, 'error: there is no organisation 999999'],
      [1, `error: organisation ${quiet} has no exemption of its own`],
      [2, 'error: give one of --until and --end'],
      [2, 'error: --beneath needs an organisation and --until'],
      [2, 'error: give either an organisation or --program'],
      [2, 'error: give either an organisation or --program'],
      [2, 'error: --beneath needs an organisation and --until'],
      [
        2,
        expect.stringContaining(
          'This name stands for all unnamed programs: exempt their organisations instead.',
        ),
      ],
      [1, 'error: program panelsync has no exemption of its own'],
      [2, expect.stringContaining('must be a date such as 2027-06-30')],
      [2, expect.stringContaining('must be in the future')],
      [2, 'error: the mail contains the dates: set VARIANT_B_DEPRECATED and VARIANT_B_SUNSET'],
    ]);
    expect(await rows()).toEqual([]);
  });
});
