import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { against, qa, type Report } from '../support/service/qa';
import { startTestService } from '../support/service/service';

it('npm run qa --test-clock lets time pass where the clock can be moved', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-api-qa-'));
  const service = await startTestService('A', {
    settings: { testClock: true, worker: true, dataDir: folder },
  });
  const { status, output, errors } = await qa([
    ...against(service.url, 'A'),
    ...[
      '--test-clock',
      '--mail-dir',
      join(folder, 'mail'),
      '--only',
      'expiry',
      '--only',
      'contacts',
      '--json',
    ],
  ]);
  const [left] = await service.sql(
    'SELECT count(*)::integer AS organisations FROM organisations WHERE deleted_at IS NULL AND id > 1',
  );
  await service.stop();
  rmSync(folder, { recursive: true });
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  const { results } = JSON.parse(output) as Report;
  expect(results.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  expect(results.filter(({ area }) => area === 'expiry').length).toBeGreaterThan(40);
  expect(left).toEqual({ organisations: 0 });
});

it('npm run qa moves no clock unless it is told to, and says where none can be moved', async () => {
  const service = await startTestService('A');
  const untold = await qa([...against(service.url, 'A'), '--only', 'expiry']);
  const told = await qa([...against(service.url, 'A'), '--test-clock', '--only', 'expiry']);
  await service.stop();
  expect(untold.status).toBe(2);
  expect(untold.errors).toContain('expiry needs --test-clock.');
  expect(told.status).toBe(2);
  expect(told.errors).toContain('This service does not run with TEST_CLOCK=on: 404');
});
