import { urlsOfHosts } from './connection-string';

it.each([
  ['postgres://u:p%40@one/db', ['postgres://u:p%40@one/db']],
  [
    'postgresql://localhost:5432/db?host=%2Ftmp%2Fsocket',
    ['postgresql://localhost:5432/db?host=%2Ftmp%2Fsocket'],
  ],
  [
    'postgres://one:1/db?target_session_attrs=read-write&sslmode=require',
    ['postgres://one:1/db?sslmode=require'],
  ],
  [
    'postgres://u:p@one:1,two:2,[::1]:3/db?target_session_attrs=primary&application_name=x',
    [
      'postgres://u:p@one:1/db?application_name=x',
      'postgres://u:p@two:2/db?application_name=x',
      'postgres://u:p@[::1]:3/db?application_name=x',
    ],
  ],
  ['postgres://u:p@/db?host=/socket', ['postgres://u:p@localhost/db?host=/socket']],
  ['postgres://u:p@/db?host=one&port=1', ['postgres://u:p@localhost/db?host=one&port=1']],
  ['postgres:///db?host=/socket', ['postgres:///db?host=/socket']],
  ['postgres://one,two/db?port=5433', ['postgres://one/db?port=5433', 'postgres://two/db?port=5433']],
  ['postgres://one/db?target_session_attrs=any', ['postgres://one/db']],
  [
    'postgres://one,two/db?sslmode=require&load_balance_hosts=random',
    ['postgres://one/db?sslmode=require', 'postgres://two/db?sslmode=require'],
  ],
  ['postgres://u@/db?host=::1', ['postgres://u@localhost/db?host=::1']],
  [
    'postgres://u@/db?host=fd00::1,fe80::1%25eth0,two&port=5433',
    [
      'postgres://u@localhost/db?host=fd00%3A%3A1&port=5433',
      'postgres://u@localhost/db?host=fe80%3A%3A1%25eth0&port=5433',
      'postgres://u@two/db?port=5433',
    ],
  ],
  ['postgres://u@/db?host=one,two&port=1,2', ['postgres://u@one/db?port=1', 'postgres://u@two/db?port=2']],
])('finds the servers of %s', (url, servers) => {
  expect(urlsOfHosts(url)).toEqual(servers);
});

it.each([
  'mysql://host/db',
  'host/db',
  'postgres://one,two/db?port=1,2,3',
  'postgres://one/db?target_session_attrs=standby',
  'postgres://one/db?sslmode=prefer',
  'postgres://one/db?sslmode=allow',
  'postgres://one/db?sslmode=bogus',
  'postgres://one/db?sslmode=',
])('refuses %s', (url) => {
  expect(() => urlsOfHosts(url)).toThrow(/^must /);
});
