import type { CompareReport } from '../../tools/qa/compare/report';
import { OldPanel, PANEL_KEY } from '../support/old-panel/old-panel';
import { PLANTED } from '../support/old-panel/planted';
import { READS } from '../support/old-panel/records';
import { useFiles } from '../support/service/files';
import { qa } from '../support/service/qa';

const files = useFiles();

const lines = (requests: readonly object[]): string =>
  requests.map((one) => `${JSON.stringify(one)}\n`).join('');

/** Every read of the panel and every planted difference, three times each. */
const EVERYTHING = [
  ...Object.keys(READS).map((path) => ({ method: 'GET', path, as: 'key' })),
  ...PLANTED.map(({ method, path, as }) => ({ method, path, ...(as === undefined && { as: 'key' }) })),
].flatMap((request) => [request, request, request]);

const credentials = files.write(
  'credentials.json',
  JSON.stringify({ key: { old: PANEL_KEY, new: PANEL_KEY } }),
);

const compare = async (args: readonly string[]) => {
  const { status, output, errors } = await qa(['compare', '--rate', '1000', ...args]);
  return { status, output, errors, report: () => JSON.parse(output) as CompareReport };
};

describe('npm run qa -- compare against a panel that is not ours', () => {
  const panels: OldPanel[] = [];
  const start = async (...args: ConstructorParameters<typeof OldPanel>): Promise<OldPanel> => {
    const panel = await new OldPanel(...args).start();
    panels.push(panel);
    return panel;
  };
  afterEach(async () => {
    for (const panel of panels.splice(0)) await panel.stop();
  });

  it('finds the thirty planted differences, each by its operation and place, and nothing else', async () => {
    const [old, fresh] = [await start(), await start(PLANTED)];
    const file = files.write('everything.jsonl', lines(EVERYTHING));
    const args = ['--old', old.url, '--new', fresh.url, '--requests', file, '--credentials', credentials];
    const { status, report, errors } = await compare([...args, '--slower-than', '3', '--json']);
    const found = report().differences.map(({ operation, kind, at }) => `${operation} ${kind} ${at}`);
    const expected = PLANTED.map(({ found: { operation, kind, at } }) => `${operation} ${kind} ${at}`);
    expect(PLANTED).toHaveLength(30);
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect({ status, errors }).toEqual({ status: 1, errors: expect.not.stringContaining('rror') });
  });

  it('finds nothing between two panels that are the same', async () => {
    const [old, fresh] = [await start(), await start()];
    const file = files.write('same.jsonl', lines(EVERYTHING));
    const args = ['--old', old.url, '--new', fresh.url, '--requests', file, '--credentials', credentials];
    const { status, report } = await compare([...args, '--json']);
    expect(report().differences).toEqual([]);
    expect(report().total).toMatchObject({ sent: EVERYTHING.length, different: 0, skipped: 0 });
    expect(status).toBe(0);
  });
});
