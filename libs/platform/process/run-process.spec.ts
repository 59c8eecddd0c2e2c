import { explain } from './run-process';

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
])('names DATABASE_URL in one line where TLS to the database fails with %s', (code, message) => {
  const [told = '', ...more] = explain(Object.assign(new Error(message), { code }));
  expect(told).toMatch(/^DATABASE_URL [^\n]*$/);
  expect(told).toContain(message);
  expect(more).toEqual([]);
});

it.each([
  ['open', /^DATABASE_URL names a missing file \(ENOENT: [^\n]*\)$/],
  ['connect', /^DATABASE_URL names a server that cannot be reached \(ENOENT\)$/],
])('tells a certificate that is not there from a socket that is not: %s', (syscall, told) => {
  const error = Object.assign(new Error(`ENOENT: no such file or directory, ${syscall} '/run/there'`), {
    syscall,
  });
  expect(explain(Object.assign(error, { code: 'ENOENT' }))).toEqual([expect.stringMatching(told)]);
});
