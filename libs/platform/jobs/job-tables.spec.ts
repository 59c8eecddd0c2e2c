import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JOB_SCHEMA_REVISION } from './job-tables';

it('knows the newest migration of the installed graphile-worker', () => {
  const folder = join(dirname(require.resolve('graphile-worker/package.json')), 'sql');
  const revisions = readdirSync(folder).map((file) => Number.parseInt(file, 10));
  expect(JOB_SCHEMA_REVISION).toBe(Math.max(...revisions));
});
