import { useFiles } from '../support/service/files';
import { against, qa } from '../support/service/qa';
import { startTestService } from '../support/service/service';

const files = useFiles();

it('npm run qa --test-clock lets time pass where the clock can be moved', async () => {
  await using service = await startTestService('A', {
    settings: { testClock: true, worker: true, dataDir: files.folder },
  });
  const { status, errors, report } = await qa([
    ...against(service.url, 'A'),
    '--test-clock',
    '--mail-dir',
    files.path('mail'),
    '--json',
    '--only',
    'expiry',
    '--only',
    'contacts',
  ]);
  const [left] = await service.sql(
    'SELECT count(*)::integer AS organisations FROM organisations WHERE deleted_at IS NULL AND id > 1',
  );
  expect(errors).toMatch(/^(?:[^:\n]+: \d+ of \d+ done, \d+ s\n)+$/);
  expect(status).toBe(0);
  const { results } = report;
  expect(results.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  expect(results.filter(({ area }) => area === 'expiry').length).toBeGreaterThan(40);
  expect(left).toEqual({ organisations: 0 });
});

it('npm run qa --test-clock exits with 2 where no clock can be moved', async () => {
  await using service = await startTestService('A');
  const told = await qa([...against(service.url, 'A'), '--test-clock', '--only', 'expiry']);
  expect(told.status).toBe(2);
  expect(told.errors).toContain('This service does not run with TEST_CLOCK=on: 404');
});
