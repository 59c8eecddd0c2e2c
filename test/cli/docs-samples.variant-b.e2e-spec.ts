import { readFileSync } from 'node:fs';
import { runSamples, samplesOf } from '../support/generators/samples';
import { asAdmin } from '../support/service/client';
import { createTestDatabase } from '../support/service/databases';
import { useFiles } from '../support/service/files';
import { startTestService } from '../support/service/service';

const files = useFiles();

it('docs/retire-variant-b.md: cli variants plan shows who called Variant B', async () => {
  const database = await createTestDatabase();
  try {
    const service = await startTestService('B', { database });
    const admin = await asAdmin(service);
    await admin.get('/organisations/1/acls').set('User-Agent', 'PanelSync/1.2').expect(200);
    // The counts are in the database when the process has ended.
    await service.stop();
    const samples = samplesOf('docs/retire-variant-b.md').filter(({ notRun }) => notRun === undefined);
    const [report] = await runSamples(samples, {
      folder: files.folder,
      databaseUrl: database.url,
      serviceUrl: service.url,
    });
    expect(report).toMatch(/GET \/organisations\/\{organisationId\}\/acls .* not there/);
    expect(report).toContain('panelsync');
    expect(report).toContain('1 organisations called Variant B in the last 30 days');
    expect(readFileSync(files.path('plan.csv'), 'utf8')).toMatch(
      /^organisationId,name,program,operation,callsPerDay,lastCall,inVariantA,section\r?\n1,/,
    );
  } finally {
    await database.drop();
  }
});
