import { VARIANTS } from '../../qa/variants';
import { freePort } from '../support/faults/free-port';
import { against, faultsIn, qa } from '../support/service/qa';
import { useService } from '../support/service/service';

describe.each(VARIANTS)('npm run qa --webhook-listen in Variant %s', (variant) => {
  const service = useService(variant, {
    settings: { worker: true, webhookNetworks: ['127.0.0.0/8'] },
  });

  it('receives the webhooks and checks their signatures', async () => {
    const port = await freePort();
    const { report, errors } = await qa([
      ...against(service.url, variant),
      '--webhook-listen',
      `127.0.0.1:${port}`,
      '--only',
      'deliveries',
      '--json',
    ]);
    expect(faultsIn(errors)).toBe('');
    expect(report.results.map(({ outcome, notes }) => ({ outcome, notes }))).toEqual(
      Array.from({ length: 7 }, () => ({ outcome: 'ok', notes: [] })),
    );
  });

  it('exits with 1 and says that it receives none, after --mail-wait once', async () => {
    const { output, report, status } = await qa([
      ...against(service.url, variant),
      '--webhook-listen',
      `127.0.0.1:${await freePort()}`,
      '--webhook-url',
      'http://127.0.0.1:1/',
      '--only',
      'deliveries',
      '--mail-wait',
      '3',
      '--json',
    ]);
    expect(status).toBe(1);
    expect(output).toContain(
      'no webhook came to http://127.0.0.1:1/ within 3 s: every process that delivers on this database',
    );
    // The second message does not get the time again.
    const failed = report.results.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ milliseconds }) => milliseconds > 2500)).toEqual([true, false]);
  });
});
