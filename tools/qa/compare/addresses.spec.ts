import { ServerAddress, targetOf } from './addresses';

const address = (text: string): ServerAddress => {
  const read = ServerAddress.read(text);
  if (read === undefined) throw new Error(`${text} is no address`);
  return read;
};

it.each([
  'old.example',
  'ftp://old.example',
  'https://a:b@old.example/v1',
  'https://old.example/v1?x',
  'http://',
  '',
])('takes %j for no address of a server', (text) => {
  expect(ServerAddress.read(text)).toBeUndefined();
});

/** Addresses of both sides, a path of a file, and what each side is sent. */
it.each([
  [
    'https://old.example/v1',
    'http://localhost:3001/v1',
    '/organisations/5?limit=2',
    '/v1/organisations/5?limit=2',
    '/v1/organisations/5?limit=2',
  ],
  [
    'https://old.example/v1',
    'http://localhost:3001/v1',
    '/v1/organisations/5',
    '/v1/organisations/5',
    '/v1/organisations/5',
  ],
  [
    'https://old.example/v1/',
    'http://localhost:3001/v1',
    'organisations/5',
    '/v1/organisations/5',
    '/v1/organisations/5',
  ],
  [
    'https://old.example/panel/api/v1',
    'http://new/v1',
    '/panel/api/v1/whoami',
    '/panel/api/v1/whoami',
    '/v1/whoami',
  ],
  ['https://old.example/panel/api/v1', 'http://new/v1', '/v1/whoami', '/panel/api/v1/whoami', '/v1/whoami'],
  ['https://old.example/panel', 'http://new/v1', '/panel/whoami', '/panel/whoami', '/v1/whoami'],
  ['https://old.example', 'http://new/v1', '/v1/whoami', '/v1/whoami', '/v1/whoami'],
  ['https://old.example', 'http://new', '/whoami', '/whoami', '/whoami'],
  ['https://old.example/v1', 'http://new/v1', '/v10/whoami', '/v1/v10/whoami', '/v1/v10/whoami'],
  [
    'https://old.example/v1',
    'http://new/v1',
    '//evil.example/x',
    '/v1//evil.example/x',
    '/v1//evil.example/x',
  ],
  ['https://old.example/v1', 'http://new/v1', '/a/../b', '/v1/a/../b', '/v1/a/../b'],
  [
    'https://old.example/v1',
    'http://new/v1',
    '/v1/x?f=B\xc3\xa4|"',
    '/v1/x?f=B\xc3\xa4|"',
    '/v1/x?f=B\xc3\xa4|"',
  ],
  [
    'https://old.example/v1',
    'http://new/v1',
    'https://old.example/v1/x?f=\xe4 b',
    '/v1/x?f=\xe4%20b',
    '/v1/x?f=\xe4%20b',
  ],
  ['https://old.example/v1', 'http://new/v1', 'https://old.example/v1/whoami#x', '/v1/whoami', '/v1/whoami'],
])('with %s and %s sends %s to %s and %s', (old, fresh, path, onOld, onNew) => {
  const { line: relative } = targetOf(path, address(old)) ?? { line: 'nothing' };
  expect(address(old).pathOf(relative, false)).toBe(onOld);
  expect(address(fresh).pathOf(relative, false)).toBe(onNew);
});

it('sends what counts from the server beside the version', () => {
  expect(address('https://old.example/v1').pathOf('/health/live', true)).toBe('/health/live');
  expect(address('https://old.example/panel/v1').pathOf('/health/live', true)).toBe('/panel/health/live');
});

it('judges a path as servers read it, whatever is sent', () => {
  const old = address('https://old.example/v1');
  expect(targetOf('/a/../jobs/1/retry', old)).toMatchObject({
    path: '/jobs/1/retry',
    line: '/a/../jobs/1/retry',
  });
  expect(targetOf('/a/%2e%2e/b?x=\xc3\xa4', old)).toMatchObject({ path: '/b?x=%C3%A4' });
});

it('tells the host of a URL, with its port where it is not the usual one', () => {
  const old = address('https://old.example/v1');
  expect(targetOf('https://old.example:443/v1/x', old)?.host).toBe('old.example');
  expect(targetOf('http://other.example:81/x', old)?.host).toBe('other.example:81');
  expect(targetOf('/x', old)?.host).toBeUndefined();
});

it.each(['', '*', 'ws://old.example/x', 'https://'])('finds no target in %j', (text) => {
  expect(targetOf(text, address('https://old.example/v1'))).toBeUndefined();
});
