import { parseCryptHash } from './crypt-hash';

const BCRYPT_REST = 'If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i';
const MD5_DIGEST = 'YMyguxXMBpd2TEZ.vS/3q1';
const SHA256_DIGEST = '5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5';
const SHA512_DIGEST =
  'svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1';

describe('parseCryptHash', () => {
  it.each([
    [`$2a$06$${BCRYPT_REST}`, { scheme: 'bcrypt', revision: 'a', cost: 6 }],
    [`$2b$04$${BCRYPT_REST}`, { scheme: 'bcrypt', revision: 'b', cost: 4 }],
    [`$2y$15$${BCRYPT_REST}`, { scheme: 'bcrypt', revision: 'y', cost: 15 }],
    [`$1$a$${MD5_DIGEST}`, { scheme: 'md5-crypt', rounds: 1000, salt: 'a', digest: MD5_DIGEST }],
    [
      `$1$saltstri$${MD5_DIGEST}`,
      { scheme: 'md5-crypt', rounds: 1000, salt: 'saltstri', digest: MD5_DIGEST },
    ],
    [`$5$s$${SHA256_DIGEST}`, { scheme: 'sha256-crypt', rounds: 5000, salt: 's', digest: SHA256_DIGEST }],
    [
      `$5$rounds=1000$./0123456789ABCD$${SHA256_DIGEST}`,
      { scheme: 'sha256-crypt', rounds: 1000, salt: './0123456789ABCD', digest: SHA256_DIGEST },
    ],
    [
      `$6$rounds=200000$saltstring$${SHA512_DIGEST}`,
      { scheme: 'sha512-crypt', rounds: 200_000, salt: 'saltstring', digest: SHA512_DIGEST },
    ],
  ])('reads %s', (text, parsed) => {
    expect(parseCryptHash(text)).toEqual(parsed);
  });

  it.each([
    ['nothing', ''],
    ['a plain password', 'secret123'],
    ['plain MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['DES crypt', 'rl.3StKT.4T8M'],
    ['extended DES crypt', '_J9..rasmBYk8r9AiWNc'],
    ['phpass', '$P$B12345678abcdefghijklmnopqrstu0'],
    ['Apache MD5', `$apr1$saltstri$${MD5_DIGEST}`],
    ['argon2', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo'],
    ['yescrypt', `$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7`],
    ['the flawed bcrypt revision x', `$2x$06$${BCRYPT_REST}`],
    ['bcrypt without revision', `$2$06$${BCRYPT_REST}`],
    ['bcrypt cost 3', `$2b$03$${BCRYPT_REST}`],
    ['bcrypt cost 16', `$2b$16$${BCRYPT_REST}`],
    ['bcrypt cost of one digit', `$2b$6$${BCRYPT_REST}`],
    ['bcrypt too short', `$2b$06$${BCRYPT_REST.slice(1)}`],
    ['bcrypt too long', `$2b$06$${BCRYPT_REST}a`],
    ['bcrypt with a foreign character', `$2b$06$+${BCRYPT_REST.slice(1)}`],
    ['a line end', `$2b$06$${BCRYPT_REST}\n`],
    ['a blank in front', ` $2b$06$${BCRYPT_REST}`],
    ['MD5-crypt without salt', `$1$$${MD5_DIGEST}`],
    ['MD5-crypt with nine characters of salt', `$1$saltstrin$${MD5_DIGEST}`],
    ['MD5-crypt with rounds', `$1$rounds=1000$salt$${MD5_DIGEST}`],
    ['MD5-crypt too short', `$1$salt$${MD5_DIGEST.slice(1)}`],
    ['MD5-crypt with a foreign character', `$1$sa:t$${MD5_DIGEST}`],
    ['SHA-256-crypt without salt', `$5$$${SHA256_DIGEST}`],
    ['SHA-256-crypt with 17 characters of salt', `$5$saltstringsaltstr$${SHA256_DIGEST}`],
    ['SHA-256-crypt with the digest of the other', `$5$salt$${SHA512_DIGEST}`],
    ['SHA-512-crypt with the digest of the other', `$6$salt$${SHA256_DIGEST}`],
    ['SHA-512-crypt too short', `$6$salt$${SHA512_DIGEST.slice(1)}`],
    ['SHA-512-crypt too long', `$6$salt$${SHA512_DIGEST}a`],
    ['too few rounds', `$5$rounds=999$salt$${SHA256_DIGEST}`],
    ['too many rounds', `$6$rounds=200001$salt$${SHA512_DIGEST}`],
    ['far too many rounds', `$6$rounds=999999999$salt$${SHA512_DIGEST}`],
    ['rounds with a leading zero', `$6$rounds=05000$salt$${SHA512_DIGEST}`],
    ['rounds that are no number', `$6$rounds=5e3$salt$${SHA512_DIGEST}`],
    ['no rounds', `$6$rounds=$salt$${SHA512_DIGEST}`],
    ['a NUL', `$6$salt$${SHA512_DIGEST}\0`],
  ])('refuses %s', (_, text) => {
    expect(parseCryptHash(text)).toBeUndefined();
  });
});
