import pino from 'pino';
import type { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Metrics } from '@app/platform/observability/metrics';
import { type Refusal, RefusalBatch, Refusals } from './refusals';

const NOW = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-01T00:00:30Z');

const guess = (name: string, address = '203.0.113.9'): Refusal => ({
  reason: 'BAD_CREDENTIALS',
  address,
  name: { text: name, digest: `digest of ${name}` },
});

const filled = (refusals: readonly Refusal[]): RefusalBatch => {
  const batch = new RefusalBatch();
  for (const refusal of refusals) batch.add(refusal, NOW);
  return batch;
};

it('counts what has reason, network and name in common', () => {
  const batch = filled([guess('a'), guess('a', '203.0.113.200'), guess('b')]);
  batch.add(guess('a'), LATER);
  expect(batch.counted).toEqual([
    expect.objectContaining({ name: 'a', network: '203.0.113.0/24', count: 3, since: NOW, until: LATER }),
    expect.objectContaining({ name: 'b', network: '203.0.113.0/24', count: 1, since: NOW, until: NOW }),
  ]);
});

it('tells the same name from other networks, with other reasons and of other users apart', () => {
  const batch = filled([
    guess('a'),
    guess('a', '2001:db8::1'),
    { ...guess('a'), reason: 'TOO_MANY_ATTEMPTS' },
    { reason: 'ACCESS_DENIED', address: '203.0.113.9', userId: 1, credentialKind: 'login' },
    { reason: 'ACCESS_DENIED', address: '203.0.113.9', userId: 1, credentialKind: 'api_key' },
    { reason: 'ACCESS_DENIED', address: '203.0.113.9', userId: 2, credentialKind: 'login' },
  ]);
  expect(batch.size).toBe(6);
});

it('keeps no name of who is known by a credential', () => {
  const [row] = filled([{ ...guess('a'), userId: 7 }]).counted;
  expect(row).toMatchObject({ user_id: 7, name: null, name_digest: null });
});

it.each(['\0', '\ud800', 'x'.repeat(255)])('looks for nobody called %j', (name) => {
  expect(filled([guess(name)]).counted).toEqual([
    expect.objectContaining({ name: null, name_digest: `digest of ${name}` }),
  ]);
});

it('takes what one network is refused past twenty rows together, and leaves others theirs', () => {
  const batch = filled([
    ...Array.from({ length: 500 }, (_, index) => guess(`name ${index}`)),
    guess('a', '198.51.100.1'),
  ]);
  expect(batch.size).toBe(22);
  expect(batch.counted.filter(({ name_digest }) => name_digest === null)).toEqual([
    expect.objectContaining({ count: 480, name: null, network: '203.0.113.0/24' }),
  ]);
  expect(batch.counted.at(-1)).toMatchObject({ name: 'a', network: '198.51.100.0/24' });
});

it('holds two hundred rows, whoever comes, and goes on to count those', () => {
  const batch = new RefusalBatch();
  const taken = Array.from({ length: 5000 }, (_, index) =>
    batch.add(guess('a', `10.${index >> 8}.${index & 255}.1`), NOW),
  );
  expect(taken.filter(Boolean)).toHaveLength(200);
  expect(batch.size).toBe(200);
  expect(batch.add(guess('a', '10.0.0.2'), NOW)).toBe(true);
});

it('counts in the metrics what a full batch does not take', async () => {
  const metrics = new Metrics();
  const refusals = new Refusals({} as DatabaseReads, metrics, pino({ enabled: false }));
  for (let index = 0; index < 203; index++) refusals.note(guess('a', `10.0.${index}.1`));
  expect(await metrics.registry.metrics()).toMatch(/^audit_refusals_dropped_total 3$/m);
});
