import { Description, retriesJob, unknownOperation } from './description';

const description = Description.read();

it.each([
  ['GET', '/organisations/5/users?limit=2', 'GET /organisations/{organisationId}/users'],
  ['HEAD', '/organisations/5/users', 'HEAD /organisations/{organisationId}/users'],
  ['GET', '/organisations/5/notifications/crm', 'GET /organisations/{organisationId}/notifications/crm'],
  ['GET', '//organisations//5/', 'GET /organisations/{organisationId}'],
  ['GET', '/v1/whoami', 'GET /whoami'],
  ['GET', '/health/live', 'GET /health/live'],
  ['GET', '/organisations/5/nothing', undefined],
  ['GET', '/login', undefined],
  ['GET', '/', undefined],
])('finds %s %s', (method, path, name) => {
  expect(description.find(method, path)?.name).toBe(name);
});

it('knows operations by their names, whatever parameters are called', () => {
  expect(description.named('GET /organisations/{id}/users')?.name).toBe(
    'GET /organisations/{organisationId}/users',
  );
  expect(description.named('GET /weather')).toBeUndefined();
});

it.each([
  '/jobs/5/retry',
  '/jobs/retry',
  '/v1/jobs/5/retry?x=1',
  '/JOBS/5/Retry/',
  '/jobs%2F5%2Fretry',
  '/jobs/5/%72etry',
  '/systems/1/jobs/5/retry',
  '/jobs/5;x/retry',
  '/jobs/5/retry;x',
])('never sends %s', (path) => {
  expect(retriesJob(path)).toBe(true);
});

it.each(['/jobs', '/jobs/5', '/jobs/5/retries', '/retry', '/organisations/5/jobsretry'])(
  'may send %s',
  (path) => {
    expect(retriesJob(path)).toBe(false);
  },
);

it('names unknown paths without what could be an identifier or a secret', () => {
  expect(unknownOperation('GET', '/domains/12/records?x=1').name).toBe('GET /domains/{…}/records');
  expect(unknownOperation('GET', `/links/${'ab1'.repeat(9)}`).name).toBe('GET /links/{…}');
});
