import { explain } from './run-process';

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
  ['ENOENT', "ENOENT: no such file or directory, open '/etc/account-api/database-ca.pem'"],
])('names DATABASE_URL in one line where TLS to the database fails with %s', (code, message) => {
  const [told = '', ...more] = explain(Object.assign(new Error(message), { code }));
  expect(told).toMatch(/^DATABASE_URL [^\n]*$/);
  expect(told).toContain(message);
  expect(more).toEqual([]);
});
