import 'reflect-metadata';
import { IntrospectionShapes } from '@app/rights/introspection/introspection.shapes';
import { ApiKeysShapes } from '@app/sign-in/apikeys/shapes/apikeys.shapes';
import { PasskeysShapes } from '@app/sign-in/passkeys/shapes/passkeys.shapes';
import { ServiceKeysShapes } from '@app/sign-in/servicekeys/shapes/servicekeys.shapes';
import { DSA_KEY } from '@app/sign-in/sshkeys/public-key.examples';
import { SshKeysShapes } from '@app/sign-in/sshkeys/shapes/sshkeys.shapes';
import { SupportShapes } from '@app/sign-in/support/support.shapes';
import { newPublicKey } from '../../../test/support/factories/key-factories';
import { MISSING, noTextOf, refuses, WRONG_NAMES } from '../../../test/support/faults/wrong-values';

/*
 * Values of keys, passkeys and other credentials that only the shape of a request refuses
 * (refused-values.spec.ts).
 */

const sshKeys = new SshKeysShapes();
const CONTENT = [
  ...MISSING,
  42,
  [newPublicKey()],
  { type: 'ssh-ed25519', blob: 'AAAA' },
  DSA_KEY,
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END',
  'ssh-ed25519 b3BlbnNzaC1rZXktdjEAAAAABG5vbmU=',
];
refuses(
  'a new SSH key',
  sshKeys.create,
  { content: newPublicKey() },
  { content: CONTENT, description: [...noTextOf(255), ...WRONG_NAMES] },
);
refuses(
  'a changed SSH key',
  sshKeys.update,
  { content: newPublicKey(), description: 'd' },
  { content: CONTENT, description: [...noTextOf(255), ...MISSING] },
);

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
const WHITELIST = [
  '192.0.2.1',
  '',
  null,
  { 0: '192.0.2.1' },
  [1],
  [null],
  [['192.0.2.1']],
  ['localhost'],
  ['0.0.0.0/0'],
  numbered(101),
  ['192.0.2.1', 'x'.repeat(5000)],
];
const apiKeys = new ApiKeysShapes();
const apiKey = { name: 'n', whitelist: numbered(100) };
const KEY_NAME = [...MISSING, ...noTextOf(255)];
const EXPIRES = ['tomorrow', -1, 1.5, [1]];
refuses('a new API key', apiKeys.create, apiKey, {
  whitelist: WHITELIST,
  name: [...KEY_NAME, ...WRONG_NAMES],
  expires: EXPIRES,
});
refuses('a changed API key', apiKeys.update, apiKey, { whitelist: WHITELIST, name: KEY_NAME });
refuses(
  'the rotation of a key',
  apiKeys.rotate,
  { oldKeyHours: 168 },
  { oldKeyHours: [169, -1, 1.5, 'x', []], expires: EXPIRES },
);

refuses(
  'a support login',
  new SupportShapes().create,
  { reason: 'x'.repeat(500), minutes: 60 },
  { reason: [...MISSING, ...noTextOf(500)], minutes: [4, 61, 5.5, 'long'], write: ['x'] },
);

const serviceKeys = new ServiceKeysShapes();
const serviceKey = { name: 'n', operations: ['contacts.list', 'users.*'] };
const OPERATIONS = [
  undefined,
  null,
  [],
  [1],
  'contacts.*',
  Array.from({ length: 101 }, () => 'users.list'),
  ...['contacts.fly', 'kites.*', '*', 'constructor', '__proto__.*'].map((word) => [word]),
];
refuses('a new service key', serviceKeys.create, serviceKey, {
  name: [...KEY_NAME, ...WRONG_NAMES],
  operations: OPERATIONS,
});
refuses('a changed service key', serviceKeys.update, serviceKey, {
  name: KEY_NAME,
  operations: OPERATIONS,
});

const passkeys = new PasskeysShapes();
const proof = { id: 'AbQ2', rawId: 'AbQ2', type: 'public-key' };
const created = { clientDataJSON: 'eyJ9', attestationObject: 'o2Nm' };
const credential = { ...proof, response: created };
const CREDENTIAL = [
  undefined,
  null,
  'text',
  7,
  [],
  {},
  { ...proof, response: null },
  { ...credential, id: 1 },
  { ...proof, response: {} },
  { ...proof, response: { ...created, clientDataJSON: 1 } },
];
refuses(
  'a new passkey',
  passkeys.create,
  { name: 'Phone', credential },
  { name: [...KEY_NAME, ...WRONG_NAMES], credential: CREDENTIAL },
);
refuses('a renamed passkey', passkeys.update, { name: 'Phone' }, { name: KEY_NAME });
const answer = { ...created, authenticatorData: 'SZYN', signature: 'MEUC' };
refuses(
  'a login by passkey',
  passkeys.login,
  { credential: { ...proof, response: answer } },
  { credential: CREDENTIAL },
);

refuses(
  'an introspection',
  new IntrospectionShapes().request,
  { token: 'x', address: '192.0.2.7' },
  {
    token: [undefined, '', null, 5, true, ['a'], {}],
    address: ['fe80::1%eth0', 'fe80::1%', '192.0.2.7%1', 'here', '192.0.2.7/32', '0x7f.1', '[::1]'],
  },
);
