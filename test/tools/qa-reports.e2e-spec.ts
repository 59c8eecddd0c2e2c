import { readFileSync } from 'node:fs';
import { SCENARIOS } from '../../qa/scenarios/all';
import { junitOf } from '../../tools/qa/report';
import { useFiles } from '../support/service/files';
import { against, qa, type Report } from '../support/service/qa';
import { ADMIN, describeService } from '../support/service/service';

describeService(['A'], 'npm run qa', (service) => {
  const files = useFiles();

  it('--junit and --json-file write JUnit XML and JSON beside the table', async () => {
    const junit = files.path('qa.xml');
    const json = files.path('qa.json');
    const { status, output } = await qa([
      ...against(service.url, 'A'),
      '--only',
      'login',
      '--only',
      'contacts',
      '--junit',
      junit,
      '--json-file',
      json,
    ]);
    expect(status).toBe(0);
    expect(output).toMatch(/^ {2}POST \/login .* ok /m);
    const { results } = JSON.parse(readFileSync(json, 'utf8')) as Report;
    const xml = readFileSync(junit, 'utf8');
    expect(xml.match(/<testcase /g)?.length).toBe(results.length);
    expect(xml.match(/<skipped /g)?.length).toBe(
      results.filter(({ outcome }) => outcome === 'not checked').length,
    );
    expect(xml).toMatch(
      /<testcase classname="login\.nobody logs in" name="POST \/login: needs user name and password" time="\d+\.\d{3}"\/>/,
    );
    expect(xml).not.toContain('<failure');
  });

  it('--only an operation sends its scenarios, each up to the last example of it', async () => {
    const { status, report } = await qa([
      ...against(service.url, 'A'),
      '--only',
      'PUT /organisations/{organisationId}/teams/{teamId}',
      '--json',
    ]);
    expect(status).toBe(0);
    expect(report.results.filter(({ area }) => area === 'teams').map(({ operation }) => operation)).toEqual([
      'POST /organisations/{organisationId}/teams',
      'POST /organisations/{organisationId}/teams',
      'POST /organisations/{organisationId}/teams',
      'POST /organisations/{organisationId}/teams',
      'GET /organisations/{organisationId}/teams/{teamId}',
      'PUT /organisations/{organisationId}/teams/{teamId}',
      'GET /organisations/{organisationId}/teams/{teamId}',
      // With entity tags.
      'GET /organisations/{organisationId}/teams/{teamId}',
      'PUT /organisations/{organisationId}/teams/{teamId}',
      'DELETE /organisations/{organisationId}/teams/{teamId}',
      'PUT /organisations/{organisationId}/teams/{teamId}',
      'PUT /organisations/{organisationId}/teams/{teamId}',
      'PUT /organisations/{organisationId}/teams/{teamId}',
    ]);
  });

  it('takes its options from QA_URL, QA_VARIANT, QA_ADMIN_USER and QA_ADMIN_PASSWORD', async () => {
    const { status, output } = await qa(['--only', 'teams'], undefined, {
      QA_URL: service.url,
      QA_VARIANT: 'A',
      QA_ADMIN_USER: ADMIN.username,
      QA_ADMIN_PASSWORD: ADMIN.password,
      QA_MAIL_DIR: '',
    });
    expect(output).toContain('POST /organisations/{organisationId}/teams');
    expect(status).toBe(0);
  });
});

it('npm run qa --list shows every scenario with its variants, needs and operations, and needs no service', async () => {
  const { status, output } = await qa(['--list']);
  expect(status).toBe(0);
  expect(output.match(/^\S.*$/gm)).toEqual([
    ...new Set(SCENARIOS.map(({ area }) => area)),
    'deliveries',
    'expiry',
  ]);
  expect(output).toMatch(/^ {2}a user recovers \(A and B, needs person, needs mail\)$/m);
  const ofB = await qa(['--list', '--variant', 'B', '--only', 'two-factor', '--only', 'teams', '--json']);
  const list = JSON.parse(ofB.output) as { area: string; operations: string[] }[];
  expect([...new Set(list.map(({ area }) => area))]).toEqual(['teams']);
  expect(list[0]?.operations).toContain('POST /organisations/{organisationId}/teams');
});

it('junitOf is well-formed whatever a service responds with, and fails for what is left behind', () => {
  const result = {
    area: 'a',
    scenario: 's',
    operation: 'GET /<&">',
    title: 't',
    milliseconds: 1234.5,
  } as const;
  const xml = junitOf({
    results: [
      { ...result, outcome: 'ok', notes: [] },
      { ...result, outcome: 'failed', notes: ['body.x is "\u0000<b>\ud800", expected 1', 'and more'] },
      { ...result, outcome: 'not checked', notes: ['needs mail'] },
    ],
    left: ['/organisations/3: 502'],
    interrupted: true,
  });
  expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="npm run qa">
  <testsuite name="a" tests="3" failures="1" errors="0" skipped="1" time="3.704">
    <testcase classname="a.s" name="GET /&lt;&amp;&quot;&gt;: t" time="1.234"/>
    <testcase classname="a.s" name="GET /&lt;&amp;&quot;&gt;: t" time="1.234"><failure \
message="body.x is &quot;\ufffd&lt;b&gt;\ufffd&quot;, expected 1">body.x is &quot;\ufffd&lt;b&gt;\ufffd&quot;, expected 1
and more</failure></testcase>
    <testcase classname="a.s" name="GET /&lt;&amp;&quot;&gt;: t" time="1.234"><skipped message="needs mail"/></testcase>
  </testsuite>
  <testsuite name="end" tests="2" failures="2" errors="0" skipped="0" time="0.000">
    <testcase classname="end.end of the run" name="/organisations/3: 502" time="0.000"><failure \
message="could not be deleted: /organisations/3: 502"/></testcase>
    <testcase classname="end.end of the run" name="the whole run" time="0.000"><failure message="Interrupted: the rest was not checked."/></testcase>
  </testsuite>
</testsuites>
`);
});
