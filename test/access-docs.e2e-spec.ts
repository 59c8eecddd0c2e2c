import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessDocument } from '@app/core/access/access-document';
import { PRIVILEGES } from '@app/core/access/privileges';
import { RouteTable } from '@app/core/access/route-table';
import { startTestService } from './support/service';
import { VARIANTS } from './support/variants';

describe('docs/access.md', () => {
  it('is what the service decides by: run `npm run docs:access` after a change of the table', () => {
    expect(readFileSync(join(__dirname, '../docs/access.md'), 'utf8')).toBe(accessDocument());
  });

  it('has no operation that no route is', async () => {
    const served = new Set<string>();
    for (const variant of VARIANTS) {
      const service = await startTestService(variant, { settings: { testClock: true } });
      for (const { operation } of service.app.get(RouteTable).routes) if (operation) served.add(operation);
      await service.stop();
    }
    expect([...served].sort()).toEqual(Object.keys(PRIVILEGES).sort());
  });
});
