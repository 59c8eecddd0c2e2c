import { runSamples, samplesOf } from '../support/generators/samples';
import { createTestDatabase } from '../support/service/databases';
import { useFiles } from '../support/service/files';
import { startTestService } from '../support/service/service';

const files = useFiles();

it('docs/retire-variant-b.md shows who called Variant B', async () => {
  const database = await createTestDatabase();
  const samples = samplesOf('docs/retire-variant-b.md').filter(({ notRun }) => notRun === undefined);
  const calls = samples.findIndex(({ commands }) => commands.includes('curl'));
  const place = { folder: files.folder, databaseUrl: database.url };
  try {
    const service = await startTestService('B', { database });
    await runSamples(samples.slice(0, calls + 1), { ...place, serviceUrl: service.url });
    // The counts are in the database when the process has ended.
    await service.stop();
    const [report, , announced] = await runSamples(samples.slice(calls + 1), {
      ...place,
      serviceUrl: service.url,
    });
    expect(report).toMatch(/GET \/organisations\/\{organisationId\}\/acls .* not there/);
    expect(report).toContain('panelsync');
    expect(report).toContain('1 organisations called Variant B in the last 30 days');
    expect(announced).toContain('1 Operator: has no e-mail contact with the group System');
    expect(announced).not.toMatch(/^error:/m);
  } finally {
    await database.drop();
  }
});
