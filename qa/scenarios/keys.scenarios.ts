import { apiKeyItem, apiKeyRecord, invalid, newApiKey, refused, sshKeyRecord } from '../responses';
import { type Example, example, type Scenario, scenario } from '../scenario';

/** SSH keys of a user, and the deploy keys of an organisation: the same operations. */
const sshKeyExamples = (base: string, as: string): readonly Example[] => [
  example(
    'needs a public key',
    [as, `POST ${base}`, { content: 'ssh-rsa AAAA', description: 'laptop' }],
    [400, invalid({ content: ['INVALID_KEY'] })],
  ),
  example(
    'is created, with the comment of the key as its description',
    [as, `POST ${base}`, { content: '{publicKey} laptop {unique}\n' }],
    [201, { sshkey: sshKeyRecord({ id: '<id> as sshkeyId' }) }],
  ),
  example(
    'is unique over the whole service',
    [as, `POST ${base}`, { content: '{publicKey}' }],
    [400, invalid({ content: ['ALREADY_TAKEN'] })],
  ),
  example('is read', [as, `GET ${base}/{sshkeyId}`], [200, { sshkey: sshKeyRecord() }]),
  example(
    'needs a description to be changed',
    [as, `PUT ${base}/{sshkeyId}`, { content: '{otherPublicKey}' }],
    [400, invalid({ description: ['REQUIRED'] })],
  ),
  example(
    'is changed',
    [as, `PUT ${base}/{sshkeyId}`, { content: '{otherPublicKey}', description: 'desktop {unique}' }],
    [204],
  ),
  example(
    'stands in the list',
    [as, `GET ${base}`],
    [
      200,
      {
        sshkeys: [
          sshKeyRecord({
            content: '{otherPublicKey}',
            description: 'desktop {unique}',
            fingerprint: '{otherFingerprint}',
          }),
        ],
      },
    ],
    { query: 'filter={unique}' },
  ),
  example('is deleted', [as, `DELETE ${base}/{sshkeyId}`], [204]),
  example('is gone', [as, `GET ${base}/{sshkeyId}`], [404, refused(404, 'SSH key not found')]),
];

const apiKeys = '/organisations/{organisationId}/users/{userId}/apikeys';
const WHITELIST = ['192.0.2.1', '2001:db8::1'] as const;

export const KEY_SCENARIOS: readonly Scenario[] = [
  scenario(
    'sshkeys',
    'a user keeps SSH keys',
    { needs: ['user'] },
    sshKeyExamples('/organisations/{organisationId}/users/{userId}/sshkeys', 'person'),
  ),
  scenario(
    'sshkeys',
    'an organisation keeps deploy keys',
    {},
    sshKeyExamples('/organisations/{organisationId}/sshkeys', 'admin'),
  ),
  scenario('apikeys', 'a user keeps API keys', { only: 'A', needs: ['user'] }, [
    example(
      'needs a name and a list of addresses',
      ['person', `POST ${apiKeys}`, { whitelist: ['192.0.2.300', '192.0.2.1', '0.0.0.0/0'] }],
      [400, invalid({ name: ['REQUIRED'], whitelist: ['INVALID_IP_ADDRESS', 'RANGE_TOO_WIDE'] })],
    ),
    example(
      'is created, and shows its hash once',
      ['person', `POST ${apiKeys}`, { name: 'robot {unique}', whitelist: [] }],
      [200, { apiKey: newApiKey({ id: '<id> as apiKeyId' }) }],
    ),
    example(
      'is a credential',
      ['key', `GET ${apiKeys}`],
      [
        200,
        {
          total: 1,
          apiKeys: [apiKeyItem({ dtExpires: '<timestamp> as expiry' })],
        },
      ],
      { query: 'filter={unique}' },
    ),
    example(
      'is read by itself',
      ['key', `GET ${apiKeys}/{apiKeyId}`],
      [200, { apiKey: apiKeyRecord({ dtExpires: '{expiry}' }) }],
    ),
    example(
      'makes no keys itself',
      ['key', `POST ${apiKeys}`, { name: 'robot {unique}', whitelist: [] }],
      [403, refused(403)],
    ),
    example(
      'is rotated, and shows the hash of the new key once',
      ['person', `POST ${apiKeys}/{apiKeyId}/rotate`, { oldKeyHours: 0 }],
      [200, { apiKey: newApiKey({ id: '<id> as newKeyId', hash: '<hash64> as newKey' }) }],
    ),
    example('is gone with that', ['newKey', `GET ${apiKeys}/{apiKeyId}`], [404, refused(404)]),
    example(
      'is created for reading alone, until a moment of choice',
      [
        'person',
        `POST ${apiKeys}`,
        { name: 'reader {unique}', whitelist: [], readOnly: true, expires: '{tomorrow}' },
      ],
      [
        200,
        {
          apiKey: newApiKey({
            id: '<id> as readerId',
            name: 'reader {unique}',
            hash: '<hash64> as reader',
          }),
        },
      ],
    ),
    example(
      'is refused for more than reading',
      ['reader', `DELETE ${apiKeys}/{apiKeyId}`],
      [403, { ...(refused(403) as object), reason: 'API_KEY_READ_ONLY' }],
      { with: { apiKeyId: '{readerId}' } },
    ),
    example(
      'is refused an end that is over',
      ['person', `POST ${apiKeys}`, { name: 'robot {unique}', whitelist: [], expires: '1767225600' }],
      [400, invalid({ expires: ['TOO_SMALL'] })],
    ),
    example('is deleted by its user', ['person', `DELETE ${apiKeys}/{apiKeyId}`], [204], {
      with: { apiKeyId: '{readerId}' },
    }),
    example(
      'is changed',
      [
        'person',
        `PUT ${apiKeys}/{apiKeyId}`,
        { name: 'robot 2 {unique}', whitelist: ['192.0.2.1', '2001:0DB8::0001'] },
      ],
      [204],
      { with: { apiKeyId: '{newKeyId}' } },
    ),
    example(
      'shows the addresses in canonical form',
      ['person', `GET ${apiKeys}`],
      [
        200,
        {
          total: 1,
          apiKeys: [apiKeyItem({ id: '{newKeyId}', name: 'robot 2 {unique}', whitelist: WHITELIST })],
        },
      ],
      { query: 'filter={unique}' },
    ),
    example('is refused from other addresses', ['newKey', 'GET /whoami'], [403, refused(403)]),
    example('is deleted', ['person', `DELETE ${apiKeys}/{apiKeyId}`], [204], {
      with: { apiKeyId: '{newKeyId}' },
    }),
    example('is no credential any more', ['newKey', 'GET /whoami'], [401, refused(401)]),
  ]),
];
