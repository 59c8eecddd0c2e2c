import { type PerVariant, VARIANTS } from '../../../qa/variants';
import { startProxy, urlOf } from '../../support/faults/proxy';
import {
  against,
  faultsIn,
  interruptAt,
  leftovers,
  NOTHING,
  qa,
  type Report,
  uncheckedReasons,
} from '../../support/service/qa';
import { describeService, startTestService } from '../../support/service/service';

it('npm run qa checks what a registered user does where registration needs no mail', async () => {
  const service = await startTestService('A', { settings: { allowTokenlessRegistration: true } });
  const { status, output } = await qa([...against(service.url, 'A'), '--json']);
  const report = JSON.parse(output) as Report;
  const left = await leftovers(service);
  await service.stop();
  expect({ status, failed: report.results.filter(({ outcome }) => outcome === 'failed') }).toEqual({
    status: 0,
    failed: [],
  });
  expect(uncheckedReasons(report).sort()).toEqual([
    'needs a registered user: here invitations are answered only by mail, or 30 were without one (--mail-dir or --smtp)',
    'needs to read a mail (--mail-dir or --smtp)',
  ]);
  expect(left).toEqual(NOTHING);
});

/** Whether users come only from invitations, whose tokens are mailed. */
const PEOPLE_NEED_MAIL: PerVariant<boolean> = { A: true, B: false };

describeService(VARIANTS, 'npm run qa against Variant %s', (service, variant) => {
  it('finds no difference and leaves nothing behind', async () => {
    const { status, output, errors } = await qa(against(service.url, variant));
    expect({ status, errors: faultsIn(errors), failed: output.match(/.*FAILED.*/g) }).toEqual({
      status: 0,
      errors: '',
      failed: null,
    });
    expect(output).toMatch(/^organisations\n {2}POST \/organisations +ok +\d+\/\d+ +\d+ ms$/m);
    expect(output).toMatch(/^Checked partly or not at all:$/m);
    expect(output).toMatch(/^ {2}POST \/resetting\/\{token\}: partly; it needs .*to read a mail/m);
    const needsPerson = 'needs a registered user: here invitations are answered only by mail';
    expect(output.includes(needsPerson)).toBe(PEOPLE_NEED_MAIL[variant]);
    expect(output).not.toContain('Left behind');
    expect(await leftovers(service)).toEqual(NOTHING);
  });
});

/** What the command does is the same in each variant. */
describeService(['A'], 'npm run qa against a service of Variant %s', (service, variant) => {
  it.each([
    ['a field with another name', (text: string) => text.replaceAll('"taxNumber":', '"vatNumber":')],
    [
      'an identifier that is text',
      (text: string) => text.replaceAll(/"id":(\d+),"name":"Bakk/g, '"id":"$1","name":"Bakk'),
    ],
    ['a field too many', (text: string) => text.replaceAll('"mustPayTax":', '"internal":1,"mustPayTax":')],
    ['null for an empty text', (text: string) => text.replaceAll('"street":""', '"street":null')],
    [
      'an object for an empty list',
      (text: string) =>
        text
          .replaceAll('"subOrganisations":[', '"subOrganisations":{"0":')
          .replaceAll(/"subOrganisations":\{(.*)\]\}$/g, '"subOrganisations":{$1}}'),
    ],
  ])('fails on %s', async (_, spoil) => {
    const proxy = await startProxy(service.url, spoil);
    const { status, output } = await qa([
      ...against(urlOf(proxy), variant),
      '--json',
      '--only',
      'organisations',
    ]);
    proxy.close();
    expect(status).toBe(1);
    const { results, left } = JSON.parse(output) as Report;
    expect(new Set(results.map(({ area }) => area))).toEqual(new Set(['organisations']));
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every(({ notes }) => notes.length > 0)).toBe(true);
    expect(left).toEqual([]);
    expect(await leftovers(service)).toEqual(NOTHING);
  });

  it('tells what it could not delete', async () => {
    const proxy = await startProxy(
      service.url,
      (text) => text,
      (call) => /^DELETE .*\/contacts\//.test(call),
    );
    const { status, output } = await qa([...against(urlOf(proxy), variant), '--only', 'contacts']);
    proxy.close();
    expect(status).toBe(1);
    expect(output).toMatch(
      /^Left behind, delete by hand:\n {2}\/organisations\/\d+\/users\/\d+\/contacts\/\d+: 502/m,
    );
    await service.sql('DELETE FROM contacts');
    expect(await leftovers(service)).toEqual(NOTHING);
  });

  it('takes away what it made when it is interrupted', async () => {
    const { status, output } = await qa(against(service.url, variant), interruptAt(service, /sshkeys/));
    expect(status).toBe(130);
    expect(output).toContain('Interrupted: the rest was not checked.');
    expect(await leftovers(service)).toEqual(NOTHING);
  });

  it('ends with 2 when it cannot begin', async () => {
    const { status, errors } = await qa([...against(service.url, variant).slice(0, -1), 'Wr0ng-password']);
    expect(status).toBe(2);
    expect(errors).toContain('Could not log in as the admin: 401');
    const nowhere = await qa(against('http://127.0.0.1:1', variant));
    expect(nowhere.status).toBe(2);
    expect(nowhere.errors).toContain('ECONNREFUSED');
  });
});

it.each([
  ['no address', ['--variant', 'A', '--admin-user', 'a', '--admin-password', 'b']],
  ['no variant', ['--url', 'http://localhost', '--admin-user', 'a', '--admin-password', 'b']],
  [
    'another variant',
    ['--url', 'http://localhost', '--variant', 'C', '--admin-user', 'a', '--admin-password', 'b'],
  ],
  ['no admin', ['--url', 'http://localhost', '--variant', 'A']],
  ['an unknown area', [...against('http://localhost', 'A'), '--only', 'weather']],
  ['an unknown option', [...against('http://localhost', 'A'), '--fast']],
])('npm run qa ends with 2 and one line: %s', async (_, args) => {
  const { status, output, errors } = await qa(args);
  expect(status).toBe(2);
  expect(output).toBe('');
  expect(errors).toMatch(/^.* --help shows the usage\.\n$/);
});
