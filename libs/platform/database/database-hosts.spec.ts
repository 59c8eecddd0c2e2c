import { DatabaseHosts } from './database-hosts';

it('stays with the server that works, and moves on once for each that does not', () => {
  const hosts = new DatabaseHosts('postgres://one,two/db');
  const first = hosts.current;
  hosts.skip(first);
  // Another connection to the same server fails a moment later.
  hosts.skip(first);
  expect(hosts.current).toBe('postgres://two/db');
  hosts.skip(hosts.current);
  expect(hosts.current).toBe(first);
});
