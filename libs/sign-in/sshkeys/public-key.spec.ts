import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultDescription, DESCRIPTION_MAX_LENGTH, parsePublicKey, type PublicKey } from './public-key';
import { CERTIFICATE_KEY, DSA_KEY, EXAMPLE_KEYS, type ExampleKey, RSA_1024_KEY } from './public-key.examples';

/** Where ssh-keygen is missing the committed examples, made by it, stand alone. */
const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
const scratch = mkdtempSync(join(tmpdir(), 'public-key-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function keygenListing(content: string): Pick<ExampleKey, 'bits' | 'fingerprint'> {
  const file = join(scratch, 'listed.pub');
  writeFileSync(file, `${content}\n`);
  const [bits, fingerprint = ''] = execFileSync('ssh-keygen', ['-l', '-E', 'md5', '-f', file])
    .toString()
    .split(' ');
  return { bits: Number(bits), fingerprint: fingerprint.replace('MD5:', '') };
}

function freshKeys(): ExampleKey[] {
  const kinds = ['rsa -b 2048', 'rsa -b 3072', 'ecdsa -b 256', 'ecdsa -b 384', 'ecdsa -b 521', 'ed25519'];
  return kinds.map((kind) => {
    const file = join(scratch, kind.replaceAll(' ', ''));
    const options = ['-q', '-N', '', '-C', `made for ${kind}`, '-f', file, '-t', ...kind.split(' ')];
    execFileSync('ssh-keygen', options);
    const content = readFileSync(`${file}.pub`, 'utf8').trim();
    return { content, ...keygenListing(content) };
  });
}

const keys = hasKeygen ? [...EXAMPLE_KEYS, ...freshKeys()] : EXAMPLE_KEYS;

function parsed(text: string): PublicKey {
  const key = parsePublicKey(text);
  if ('error' in key) throw new Error(key.error.message);
  return key;
}

function validate(text: string): string {
  const key = parsePublicKey(text);
  return 'error' in key ? key.error.message : `accepted ${key.type}`;
}

const field = (bytes: Buffer | string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(bytes));
  return Buffer.concat([length, Buffer.from(bytes)]);
};
const line = (type: string, ...fields: Buffer[]): string =>
  `${type} ${Buffer.concat([field(type), ...fields]).toString('base64')} c`;
const example = (type: string): string[] =>
  EXAMPLE_KEYS.find((key) => key.content.startsWith(type))!.content.split(' ');
const blobOf = (type: string): Buffer => Buffer.from(example(type)[1]!, 'base64');

describe('an accepted key', () => {
  it.each(keys)(
    'has the bits and the fingerprint of ssh-keygen: $content',
    ({ content, bits, fingerprint }) => {
      expect(parsed(content)).toMatchObject({ bits, fingerprint, content, type: content.split(' ')[0] });
      if (hasKeygen) expect(keygenListing(content)).toEqual({ bits, fingerprint });
    },
  );

  it('keeps its comment and its blob', () => {
    const key = parsed(EXAMPLE_KEYS[5]!.content);
    expect(key.comment).toBe('Zoë Müller 日本');
    expect(key.blob.toString('base64')).toBe(EXAMPLE_KEYS[5]!.content.split(' ')[1]);
  });

  it('is cut out of surrounding white space and brought into one form', () => {
    const [type, base64] = example('ssh-ed25519');
    expect(parsed(`\r\n \t${type}\t ${base64}  a  b \n\n`)).toMatchObject({
      content: `${type} ${base64} a  b`,
      comment: 'a  b',
    });
    expect(parsed(`${type} ${base64}\n`)).toMatchObject({ content: `${type} ${base64}`, comment: '' });
  });
});

describe('another format', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const good = EXAMPLE_KEYS[5]!.content;

  it.each([
    ['PKCS#8', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['SEC1', privateKey.export({ type: 'sec1', format: 'pem' }).toString()],
    ['RSA', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----'],
    ['encrypted', '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIE\n-----END ENCRYPTED PRIVATE KEY-----'],
    ['OpenSSH', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----'],
    ['OpenSSH without its first line', 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmU='],
    [
      'SSH2',
      '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56w==\n---- END SSH2 ENCRYPTED PRIVATE KEY ----',
    ],
    ['PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none'],
    ['after a public key', `${good}\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz`],
  ])('private key (%s) is named as one', (_name, text) => {
    expect(validate(text)).toContain('This is a private key.');
  });

  it.each([
    ['', 'The key is empty.'],
    [' \n', 'The key is empty.'],
    [publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'This is the PEM format'],
    ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----', 'This is the PuTTY/SSH2 format'],
    [`${good}\n${good}`, 'Send one key on one line.'],
    [good.replace(' ', '\n'), 'Send one key on one line.'],
    [`command="id; ls" ${good}`, 'Options or other text before the key type'],
    [`no-pty ${good}`, 'Options or other text before the key type'],
    [good.split(' ')[1]!, 'The key must begin with its type'],
    ['ssh-ed448 AAAA', 'The key must begin with its type'],
    ['SSH-RSA AAAA', 'The key must begin with its type'],
    ['ssh-rsa', 'The key itself is missing'],
    [DSA_KEY, 'DSA keys are not accepted'],
    [CERTIFICATE_KEY, 'This is an SSH certificate'],
    [`${good}\0`, 'The key contains a NUL character.'],
    [`${good} \u001b[31m`, 'control characters'],
    [`${good} a\tb`, 'control characters'],
    [`${good} a\u2028b`, 'control characters'],
    [`${good} \ud800`, 'not valid Unicode'],
    [`${good} ${'x'.repeat(16_384)}`, 'longer than 16384 bytes'],
    [`${good} ${'é'.repeat(8_192)}`, 'longer than 16384 bytes'],
  ])('%j is refused: %s', (text, error) => {
    expect(validate(text)).toContain(error);
  });

  it('takes up to 16 kB', () => {
    expect(parsed(`${good} ${'x'.repeat(16_384 - Buffer.byteLength(good) - 1)}`).type).toBe('ssh-ed25519');
  });
});

describe('a comment longer than a description', () => {
  it('is cut there, in what is stored and shown', () => {
    const good = EXAMPLE_KEYS[5]!.content.split(' ').slice(0, 2).join(' ');
    const key = parsed(`${good} ${'😀'.repeat(300)}`);
    const cut = '😀'.repeat(DESCRIPTION_MAX_LENGTH);
    expect(key.comment).toBe(cut);
    expect(key.content).toBe(`${good} ${cut}`);
  });
});

describe('broken base64', () => {
  const [type, base64] = example('sk-ssh-ed25519');
  it.each([
    ['a character of another alphabet', `${base64!.slice(0, 8)}_${base64!.slice(9)}`],
    ['an illegal character inside', `${base64!.slice(0, 8)}*${base64!.slice(8)}`],
    ['missing padding', 'AAAAC3NzaC1lZDI1NTE5AA'],
    ['padding bits set', 'AAAAC3NzaC1lZDI1NTE5AB=='],
  ])('%s', (_name, text) => {
    expect(validate(`${type} ${text} c`)).toBe('The key is not valid base64.');
  });
});

describe('a blob', () => {
  it('is refused at every length but its own', () => {
    for (const { content } of EXAMPLE_KEYS) {
      const [type, base64 = ''] = content.split(' ');
      const blob = Buffer.from(base64, 'base64');
      for (let length = 1; length < blob.length; length += 1) {
        expect(validate(`${type} ${blob.subarray(0, length).toString('base64')}`)).toContain(
          'ends too early',
        );
      }
      const longer = Buffer.concat([blob, Buffer.alloc(2)]).toString('base64');
      expect(validate(`${type} ${longer}`)).toBe('The key is followed by 2 bytes that do not belong to it.');
    }
  });

  it('must be of the type in front of it', () => {
    expect(validate(`ssh-rsa ${example('ssh-ed25519')[1]}`)).toBe(
      'The key says ssh-rsa, but its binary part is ssh-ed25519.',
    );
    expect(validate(`ssh-rsa ${field('<script>').toString('base64')}`)).toContain(
      'its binary part is no key',
    );
    expect(validate(`ecdsa-sha2-nistp256 ${example('ecdsa-sha2-nistp384')[1]}`)).toContain(
      'but its binary part is',
    );
  });

  it('cannot claim a field longer than itself', () => {
    expect(validate(`ssh-rsa ${Buffer.from('ffffffff00', 'hex').toString('base64')}`)).toContain(
      'ends too early',
    );
  });
});

describe('an RSA key', () => {
  const odd = (bits: number): Buffer => {
    const bytes = Buffer.alloc(Math.ceil(bits / 8) + 1);
    bytes[1] = 1 << ((bits - 1) % 8);
    bytes[bytes.length - 1]! |= 1;
    return (bytes[1] ?? 0) >= 0x80 ? bytes : bytes.subarray(1);
  };
  const e = Buffer.from('010001', 'hex');
  const rsa = (exponent: Buffer, modulus: Buffer): string => line('ssh-rsa', field(exponent), field(modulus));

  it('has 2048 to 16384 bits', () => {
    expect(validate(RSA_1024_KEY)).toBe('The RSA key has 1024 bits; at least 2048 are required.');
    expect(validate(rsa(e, odd(2047)))).toContain('2047 bits');
    expect(parsed(rsa(e, odd(2048))).bits).toBe(2048);
    expect(parsed(rsa(e, odd(16_384))).bits).toBe(16_384);
    expect(validate(rsa(e, odd(16_385)))).toContain('16385 bits; at most 16384');
  });

  it.each([
    ['an exponent of 1', rsa(Buffer.from([1]), odd(2048)), 'must be odd'],
    ['an even exponent', rsa(Buffer.from('010000', 'hex'), odd(2048)), 'must be odd'],
    ['an exponent as large as the modulus', rsa(odd(2048), odd(2048)), 'below the modulus'],
    ['a zero exponent', rsa(Buffer.alloc(0), odd(2048)), 'exponent of the RSA key is zero'],
    ['a zero byte as exponent', rsa(Buffer.alloc(1), odd(2048)), 'superfluous leading zeros'],
    ['a padded exponent', rsa(Buffer.from('00010001', 'hex'), odd(2048)), 'superfluous leading zeros'],
    ['a padded modulus', rsa(e, Buffer.concat([Buffer.alloc(1), odd(2049)])), 'superfluous leading zeros'],
    ['a modulus padded before 7f', rsa(e, Buffer.concat([Buffer.from([0, 0x7f]), odd(2040)])), 'superfluous'],
    ['a negative modulus', rsa(e, odd(2048).subarray(1)), 'modulus of the RSA key is negative'],
    [
      'an even modulus',
      rsa(e, Buffer.concat([odd(2041), Buffer.alloc(1)])),
      'modulus of the RSA key is even',
    ],
  ])('with %s is refused', (_name, text, error) => {
    expect(validate(text)).toContain(error);
  });

  it('takes the least exponent', () => {
    expect(parsed(rsa(Buffer.from([3]), odd(2048))).bits).toBe(2048);
  });
});

describe('an elliptic curve key', () => {
  const type = 'ecdsa-sha2-nistp256';
  const point = blobOf(type).subarray(-65);
  const withPoint = (bytes: Buffer): string => line(type, field('nistp256'), field(bytes));
  const changed = (offset: number): Buffer => {
    const copy = Buffer.from(point);
    copy[offset]! ^= 1;
    return copy;
  };

  it.each([
    ['the curve of another type', line(type, field('nistp384'), field(point)), 'another curve than nistp256'],
    ['a point off the curve', withPoint(changed(64)), 'not a point on the curve'],
    [
      'a coordinate beyond the field',
      withPoint(Buffer.concat([point.subarray(0, 1), Buffer.alloc(64, 255)])),
      'not a point',
    ],
    [
      'a compressed point',
      withPoint(Buffer.concat([Buffer.from([2]), point.subarray(1, 33)])),
      'no uncompressed point',
    ],
    ['a wrong point mark', withPoint(changed(0)), 'no uncompressed point'],
    ['the point at infinity', withPoint(Buffer.alloc(1)), 'no uncompressed point'],
  ])('with %s is refused', (_name, text, error) => {
    expect(validate(text)).toContain(error);
  });

  it('on a security key is checked alike', () => {
    const sk = 'sk-ecdsa-sha2-nistp256@openssh.com';
    expect(parsed(line(sk, field('nistp256'), field(point), field('ssh:'))).bits).toBe(256);
    expect(validate(line(sk, field('nistp256'), field(changed(64)), field('ssh:')))).toContain('not a point');
    expect(validate(line(sk, field('nistp256'), field(point), field('ssh:\0')))).toContain(
      'application name',
    );
  });
});

it('an Ed25519 key has 32 bytes', () => {
  expect(validate(line('ssh-ed25519', field(Buffer.alloc(31, 7))))).toBe(
    'The Ed25519 key has 31 bytes instead of 32.',
  );
});

describe('defaultDescription', () => {
  const key = { type: 'ssh-ed25519' as const, fingerprint: EXAMPLE_KEYS[5]!.fingerprint };

  it('is the comment', () => {
    expect(defaultDescription({ ...key, comment: 'ann@laptop' })).toBe('ann@laptop');
  });

  it('is type and start of the fingerprint for a key without comment, or with one that may be no name', () => {
    for (const comment of ['', 'laptop\u202e'])
      expect(defaultDescription({ ...key, comment })).toBe('ssh-ed25519 be:b0:d8:85');
  });
});
