import { InvalidSecretsKey, secretsKeysIn } from './secrets-keys';

const base64 = (key: Buffer): string => key.toString('base64');

const ONE = Buffer.alloc(32, 1);
const TWO = Buffer.alloc(32, 2);

it('reads the keys in their order, with or without padding', () => {
  expect(secretsKeysIn(`${base64(TWO)}, ${base64(ONE).replace('=', '')}`)).toEqual([TWO, ONE]);
});

it.each([
  ['nothing', '', 'no key is given'],
  ['blanks', '  ', 'no key is given'],
  ['16 bytes', base64(Buffer.alloc(16)), 'key 1 is not the base64 of exactly 32 bytes'],
  ['33 bytes', base64(Buffer.alloc(33)), 'key 1 is not the base64 of exactly 32 bytes'],
  ['hex', ONE.toString('hex'), 'key 1 is not the base64 of exactly 32 bytes'],
  ['foreign characters', `!${base64(ONE).slice(1)}`, 'key 1 is not the base64 of exactly 32 bytes'],
  ['stray bits', `${'A'.repeat(42)}B=`, 'key 1 is not the base64 of exactly 32 bytes'],
  ['a trailing comma', `${base64(ONE)},`, 'key 2 is not the base64 of exactly 32 bytes'],
  ['a key twice', `${base64(ONE)},${base64(TWO)},${base64(ONE)}`, 'key 3 is given twice'],
])('refuses %s in one sentence', (_, setting, message) => {
  expect(() => secretsKeysIn(setting)).toThrow(new InvalidSecretsKey(message));
});
