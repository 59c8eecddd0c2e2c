import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runSamples, type Sample, samplesOf } from '../support/generators/samples';
import { useFiles } from '../support/service/files';
import { startTestService, type TestService, useService } from '../support/service/service';

/** Pages in the order of the README: one service meets them one after the other. */
const PAGES = [
  'README.md',
  'docs/move-in.md',
  'docs/helping-people.md',
  'docs/agencies.md',
  'docs/privacy.md',
];

/** The page of a variant has its own test. */
const ELSEWHERE = ['docs/retire-variant-b.md'];

const isOfPage = ({ notRun, runBy }: Sample): boolean => notRun === undefined && runBy === undefined;

const files = useFiles();
const service = useService('A', { settings: { worker: true, dataDir: files.path('.data') } });

/** Runs the blocks of a page; the output of each, by a text of its commands. */
async function run(
  page: string,
  { url, database }: TestService = service,
  typed = '',
): Promise<(words: string) => string> {
  const samples = samplesOf(page).filter(isOfPage);
  const outputs = await runSamples(samples, {
    folder: files.folder,
    serviceUrl: url,
    databaseUrl: database.url,
    typed,
  });
  expect(outputs).toHaveLength(samples.length);
  samples.forEach((sample, index) => expectShown(sample, outputs[index] ?? ''));
  return (words) => outputs[samples.findIndex(({ commands }) => commands.includes(words))] ?? 'no such block';
}

/** The pages show counts of a new service, which other pages have used here. */
const withoutCount = (line: string): string => line.replace(/ the database has \d+$/, '');

function expectShown({ page, commands, shown }: Sample, output: string): void {
  expect({
    page,
    commands,
    missing: shown.filter((line) => !output.includes(withoutCount(line))),
    output,
  }).toMatchObject({
    missing: [],
    output: expect.not.stringMatching(/command not found|No such file|^error:|no test knows/m) as string,
  });
}

const FOLDERS = ['.', 'docs', 'deploy', 'tools/bench', 'tools/faults'];
const documents = (): string[] =>
  FOLDERS.flatMap((name) =>
    readdirSync(join(ROOT, name))
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(name, file)),
  );

it('every sh block of README.md, docs, deploy and tools is run, or says why not', () => {
  const left = documents()
    .filter((page) => ![...PAGES, ...ELSEWHERE].includes(page))
    .flatMap(samplesOf)
    .filter(isOfPage);
  expect(left).toEqual([]);
});

it('fewer than twenty sh blocks are not run', () => {
  const notRun = documents()
    .flatMap(samplesOf)
    .filter((sample) => sample.notRun !== undefined);
  expect(notRun.length).toBeLessThan(20);
});

/** `sh run by test/…`: whoever changes the line trusts that the test runs the new one. */
it('a block that says `sh run by` a test is read by that test from its page', () => {
  const named = documents().flatMap((page) =>
    samplesOf(page).flatMap(({ runBy }) => (runBy === undefined ? [] : [{ page, test: runBy }])),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ page, test }) => !readsPage(test, page))).toEqual([]);
});

const readsPage = (test: string, page: string): boolean =>
  existsSync(join(ROOT, test)) &&
  statSync(join(ROOT, test)).isFile() &&
  readFileSync(join(ROOT, test), 'utf8').includes(`'${page}'`);

it('README.md: the blocks show five minutes with curl', async () => {
  const output = await run('README.md');
  const printed = output('HASH=$(curl');
  expect(printed).toContain('"username":"jan@example.nl"');
  expect(printed).toMatch(/"organisations":\[\{"id":2,"name":"Bakkerij de Vries"/);
});

it('docs/move-in.md: the blocks bring a customer over from the previous panel', async () => {
  const output = await run('docs/move-in.md');
  expect(output('import-users move')).toMatch(/4 stored[^]*3 stored[^]*3 stored[^]*1 stored[^]*1 stored/);
  expect(output('import-teams')).toMatch(/2 stored[^]*1 stored[^]*2 stored[^]*1 stored/);
  expect(output('--per-hour')).toContain('1 stored, 0 there already, 0 refused');
  expect(await service.sql`SELECT email FROM invitations WHERE id = 70`).toEqual([
    { email: 'lena@bakery.example' },
  ]);
  const [jan = '', key = '', rita = ''] = output('whoami').trim().split('\n');
  expect([jan, key]).toEqual([
    expect.stringContaining('"hash"'),
    expect.stringContaining('jan@bakery.example'),
  ]);
  expect(rita).toContain('6digitCode is invalid');
  const [bakery, team, look] = output('teams/40').trim().split('\n');
  expect(bakery).toContain('"name":"Bakkerij de Vries"');
  expect(team).toContain('"apps":[{"id":17,"name":"shop"}]');
  expect(look).toBe('{"preferences":{"darkTheme":true,"shortcuts":[{"title":"Shop","path":"/apps/17"}]}}');
});

it('docs/helping-people.md: the blocks send an invoice, suspend, and end logins', async () => {
  const output = await run('docs/helping-people.md');
  expect(output('Invoice 2026-117')).toContain('"status":"deactivated"');
  expect(output('.data/mail')).toContain('Invoice 2026-117');
  const codes = (words: string) =>
    output(words)
      .split('\n')
      .filter((line) => /^\{"(code|userId)"/.test(line))
      .map((line) => /"code":(\d+)/.exec(line)?.[1] ?? '200');
  expect(codes('whoami')).toEqual(['401', '401']);
  expect(codes('"reason":"Paid"')).toEqual(['200']);
  expect(codes('Stolen passwords')).toEqual(['401', '401']);
  expect(codes('"withSubOrganisations":false')).toEqual(['200', '401']);
  expect(codes(`'{"type":"enable"}'`)).toEqual(['200']);
  expect(output('audit --table suspensions')).toContain('suspensions');
});

it('docs/agencies.md: the blocks give, narrow, use and end a grant', async () => {
  const output = await run('docs/agencies.md');
  const given = output('"access\\":\\"manage');
  expect(given).toMatch(
    /^\{"grant":\{"id":\d+,"organisation":\{"id":2301,"name":"Bakkerij Smit"\},"grantee":\{"id":2302,"name":""\}/,
  );
  const [grants, holders = ''] = output('direction=given').split('\n');
  expect(grants).toMatch(/^\{"total":1,"grants":\[\{.*"access":"manage".*"dtExpires":"\d+"\}\]\}$/);
  expect(holders).toContain('"name":"mia@smit.example"');
  // Nobody of the agency has named a team yet.
  expect(holders).toContain('"kind":"grantee","id":0,"name":""');
  expect(holders).not.toContain('jansen');
  expect(holders).not.toContain('sofie');
  expect(output(`'{"expires":""}'`)).toBe('204\n');
  const [ofSofie, ofJan] = output('list $JAN').split('\n');
  expect([ofSofie, ofJan]).toEqual([
    'Webbureau Jansen,Garage De Boer',
    'Bakkerij Smit,Webbureau Jansen,Garage De Boer',
  ]);
  const refused = (reason: string): unknown => expect.stringMatching(`^\\{"code":403,.*"reason":"${reason}"`);
  const worked = output('"city":"Utrecht"').split('\n');
  expect(worked.slice(0, 3)).toEqual([
    '204',
    expect.stringMatching(/^\{"contacts":\[/),
    refused('ACCESS_DENIED'),
  ]);
  expect(output('/grants/$GRANT/teams/$TEAM')).toBe('204\n204\n204\n204\n');
  expect(output('"city":"Zeist"').split('\n').slice(0, 2)).toEqual([
    refused('GRANT_DOES_NOT_COVER'),
    refused('GRANT_DOES_NOT_COVER'),
  ]);
  expect(output('23017}')).toMatch(/\nshop\n$/);
  expect(output('$(id $TIM) -H').split('\n').slice(0, 2)).toEqual(['204', refused('ACCESS_DENIED')]);
  const [audit, ended, after, left] = output('audit?kind=organisations').split('\n');
  expect(audit).toMatch(/"username":"jan@jansen.example",.*"organisationId":2302,"grantId":\d+/);
  expect([ended, after, left]).toEqual(['204', refused('ACCESS_DENIED'), 'Webbureau Jansen,Garage De Boer']);
});

it('docs/privacy.md: the blocks export and erase a person', async () => {
  // The person is the second user, as the page says.
  await using fresh = await startTestService('A');
  const output = await run('docs/privacy.md', fresh, '2\n');
  expect(output('--dry-run')).toContain('users');
  expect(output('--id 2')).toContain('erased-2');
  expect(output('--id 2')).not.toContain('piet@bakery.example');
});
