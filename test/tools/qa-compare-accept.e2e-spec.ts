import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import type { AcceptedDifference } from '../../tools/qa/compare/accepted';
import type { CompareReport } from '../../tools/qa/compare/report';
import { OldPanel, PANEL_KEY } from '../support/old-panel/old-panel';
import { useFiles } from '../support/service/files';
import { qa } from '../support/service/qa';

const files = useFiles();

function write(name: string, content: string): string {
  const path = files.write(name, content);
  chmodSync(path, 0o600);
  return path;
}

const credentials = write('credentials.json', JSON.stringify({ key: { old: PANEL_KEY, new: PANEL_KEY } }));
const USER = '/organisations/5/users/51';
const requestsOf = (...paths: readonly string[]): string =>
  write('requests.jsonl', paths.map((path) => `{"method":"GET","path":"${path}","as":"key"}\n`).join(''));

const operation = 'GET /organisations/{organisationId}/users/{userId}';

const panels: OldPanel[] = [];
let old: OldPanel;
let fresh: OldPanel;

async function start(...args: ConstructorParameters<typeof OldPanel>): Promise<OldPanel> {
  const panel = await new OldPanel(...args).start();
  panels.push(panel);
  return panel;
}
let requests: string;

/** The new side has an identifier as text, and another name. */
beforeEach(async () => {
  old = await start();
  fresh = await start([
    {
      method: 'GET',
      path: USER,
      change: (answer) => {
        answer.text = answer.text.replace('"id":51', '"id":"51"').replace('Anna', 'Anne');
      },
    },
  ]);
  requests = requestsOf(USER, USER);
});

afterEach(async () => {
  for (const panel of panels.splice(0)) await panel.stop();
});

async function compare(...args: readonly string[]) {
  const addresses = ['compare', '--old', old.url, '--new', fresh.url, '--requests', requests];
  const options = ['--credentials', credentials, '--rate', '1000', '--json'];
  const { status, output, errors } = await qa([...addresses, ...options, ...args]);
  const report = output.startsWith('{') ? (JSON.parse(output) as CompareReport) : undefined;
  return { status, errors, report };
}

const entriesOf = (path: string): AcceptedDifference[] =>
  JSON.parse(readFileSync(path, 'utf8')) as AcceptedDifference[];

/** Gives each difference of a file that has none this reason. */
function explain(path: string, reason: string): void {
  const explained = entriesOf(path).map((entry) => ({ ...entry, reason: entry.reason || reason }));
  writeFileSync(path, JSON.stringify(explained));
}

it('qa compare --accept takes what a file of --to-accept says with a reason, and nothing else', async () => {
  const path = files.path('accepted.json');
  expect((await compare('--to-accept', path)).status).toBe(1);
  expect(entriesOf(path)).toEqual([
    { operation, kind: 'value', at: '$.user.firstName', reason: '' },
    { operation, kind: 'type', at: '$.user.id', reason: '' },
  ]);
  const unexplained = await compare('--accept', path);
  expect(unexplained.status).toBe(1);
  expect(unexplained.errors).toContain(`${path}: 2 without a reason, which count as new.`);
  explain(path, 'programs take both');
  const explained = await compare('--accept', path);
  expect(explained).toMatchObject({ status: 0, report: { gone: [] } });
  expect(explained.report?.differences.map(({ accepted }) => accepted)).toEqual(
    Array(2).fill('programs take both'),
  );
  requests = requestsOf(USER, '/countries');
  fresh = await start([
    {
      method: 'GET',
      path: USER,
      change: (answer) => {
        answer.text = answer.text.replace('"id":51', '"id":"51"');
      },
    },
    { method: 'GET', path: '/countries', change: (answer) => void (answer.status = 404) },
  ]);
  const html = files.path('accepted.html');
  const later = await compare('--accept', path, '--to-accept', path, '--html', html);
  expect(later.status).toBe(1);
  expect(later.report?.differences.map(({ kind, accepted }) => [kind, accepted])).toEqual([
    ['status', null],
    ['type', 'programs take both'],
  ]);
  expect(later.report?.gone.map(({ at }) => at)).toEqual(['$.user.firstName']);
  expect(readFileSync(html, 'utf8')).toContain('Accepted, and no longer there (1)');
  expect(entriesOf(path).map(({ kind, reason }) => [kind, reason])).toEqual([
    ['value', 'programs take both'],
    ['type', 'programs take both'],
    ['status', ''],
  ]);
  expect(entriesOf(path).at(-1)).toMatchObject({ old: 503, new: 404 });
});

it('qa compare --accept takes another pair of statuses for new', async () => {
  requests = requestsOf(USER);
  const answering = (status: number) =>
    start([{ method: 'GET', path: USER, change: (answer) => void (answer.status = status) }]);
  const path = files.path('statuses.json');
  fresh = await answering(403);
  await compare('--to-accept', path);
  explain(path, 'it is forbidden');
  expect((await compare('--accept', path)).status).toBe(0);
  fresh = await answering(404);
  expect((await compare('--accept', path)).status).toBe(1);
});

it('qa compare --accept names nothing as no longer there of an operation that it did not send', async () => {
  const path = write(
    'others.json',
    JSON.stringify([{ operation: 'GET /roles', kind: 'order', at: '$.roles', reason: 'x' }]),
  );
  expect((await compare('--accept', path)).report?.gone).toEqual([]);
});

it.each([
  ['no JSON', 'nonsense', 'is no JSON.'],
  ['no list', '{}', 'needs a list of differences.'],
  ['no reason', '[{"operation":"GET /roles","kind":"order","at":"$"}]', 'difference 1 needs "operation"'],
])('qa compare --accept exits with 2 on a file with %s', async (_, content, told) => {
  const path = write('wrong.json', content);
  expect(await compare('--accept', path)).toMatchObject({ status: 2, errors: expect.stringContaining(told) });
});

it('qa compare --to-accept exits with 2 where the file is there and was not read by --accept', async () => {
  const path = write('kept.json', '[]');
  const { status, errors } = await compare('--to-accept', path);
  expect({ status, errors }).toMatchObject({ status: 2, errors: expect.stringContaining('exists already') });
  expect(readFileSync(path, 'utf8')).toBe('[]');
});

it('qa compare has one line for a difference that many operations share, and one head for each operation', async () => {
  const paths = [USER, '/organisations/5', '/organisations/5/users'];
  requests = requestsOf(...paths, USER);
  fresh = await start(
    paths.map((path) => ({
      method: 'GET',
      path,
      change: (answer) => {
        answer.text = answer.text.replace('{', '{"extra":1,');
        if (path === USER) answer.text = answer.text.replace('Anna', 'Anne').replace('"id":51', '"id":"51"');
      },
    })),
  );
  const html = files.path('shared.html');
  const addresses = ['compare', '--old', old.url, '--new', fresh.url, '--requests', requests];
  const { output } = await qa([...addresses, '--credentials', credentials, '--rate', '1000', '--html', html]);
  expect(output).toContain(
    'In many operations\n  added $.extra: only the new server has it, in 4 requests of 3 operations: ',
  );
  expect(output.match(/\$\.extra/g)).toHaveLength(1);
  expect(output.match(/^GET .*userId\}: 2 requests$/gm)).toHaveLength(1);
  const page = readFileSync(html, 'utf8');
  expect(page.match(/\$\.extra/g)).toHaveLength(1);
  expect(page.match(/<table class="found">/g)).toHaveLength(2);
  expect(page).toContain('<a href="#d1">');
});
