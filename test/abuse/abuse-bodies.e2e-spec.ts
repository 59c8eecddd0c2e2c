import { request } from 'node:http';
import { makeCustomer } from '../support/factories/factories';
import {
  type AttackedService,
  bystanderDuring,
  startAttackedService,
  UNDISTURBED_P95,
} from '../support/faults/bystander';
import type { ApiClient } from '../support/service/client';

const BODIES = 512;
const AT_ONCE = 64;

describe('PATCH …/preferences with as many values as 100 kB hold', () => {
  let service: AttackedService;
  beforeAll(async () => {
    service = await startAttackedService('A');
  });
  afterAll(() => service.stop());

  /** Written once: to write as many values again and again would hold up the bystander of this process. */
  const patch = (client: ApiClient, path: string, text: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: client.hash, 'Content-Type': 'application/json' };
      request(`${service.url}/v1${path}`, { method: 'PATCH', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', reject)
        .end(text);
    });

  it.each([
    ['empty objects', `{"ignored":[${Array(33_000).fill('{}').join()}]}`],
    ['members', `{${Array.from({ length: 6000 }, (_, n) => `"${n.toString(36)}":1`).join()}}`],
  ])('is 413 for %s, and others are served', async (_, text) => {
    const { plain, organisationId } = await makeCustomer(service);
    const path = `/organisations/${organisationId}/users/${plain.id}/preferences`;
    const statuses = new Set<number>();
    const notice = await bystanderDuring(service, async () => {
      for (let sent = 0; sent < BODIES; sent += AT_ONCE)
        for (const status of await Promise.all(
          Array.from({ length: AT_ONCE }, () => patch(plain.client, path, text)),
        ))
          statuses.add(status);
    });
    expect([...statuses]).toEqual([413]);
    expect(Object.keys(notice.statuses)).toEqual(['200']);
    expect(notice.p95).toBeLessThan(UNDISTURBED_P95);
  });
});
