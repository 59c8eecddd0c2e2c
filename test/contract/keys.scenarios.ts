import type { Example, Scenario } from '../../qa/scenario';
import { invalid, refused } from './responses';

const MADE = {
  id: '<id> as sshkeyId',
  description: 'laptop {unique}',
  content: '<words>',
  status: 'ok',
  fingerprint: '{fingerprint}',
  organisation: { id: '{organisationId}', name: '{organisationName}' },
} as const;

/** SSH keys of a user, and the deploy keys of an organisation: the same operations. */
const sshKeyExamples = (base: string, as: string): readonly Example[] => [
  {
    title: 'needs a public key',
    operation: `POST ${base}`,
    as,
    body: { content: 'ssh-rsa AAAA', description: 'laptop' },
    status: 400,
    response: invalid({ content: ['INVALID_KEY'] }),
  },
  {
    title: 'is created, with the comment of the key as its description',
    operation: `POST ${base}`,
    as,
    body: { content: '{publicKey} laptop {unique}\n' },
    status: 201,
    response: { sshkey: { ...MADE, content: '{publicKey} laptop {unique}' } },
  },
  {
    title: 'is unique over the whole service',
    operation: `POST ${base}`,
    as,
    body: { content: '{publicKey}' },
    status: 400,
    response: invalid({ content: ['ALREADY_TAKEN'] }),
  },
  {
    title: 'is read',
    operation: `GET ${base}/{sshkeyId}`,
    as,
    status: 200,
    response: { sshkey: { ...MADE, id: '{sshkeyId}', content: '{publicKey} laptop {unique}' } },
  },
  {
    title: 'needs a description to be changed',
    operation: `PUT ${base}/{sshkeyId}`,
    as,
    body: { content: '{otherPublicKey}' },
    status: 400,
    response: invalid({ description: ['REQUIRED'] }),
  },
  {
    title: 'is changed',
    operation: `PUT ${base}/{sshkeyId}`,
    as,
    body: { content: '{otherPublicKey}', description: 'desktop {unique}' },
    status: 204,
  },
  {
    title: 'stands in the list',
    operation: `GET ${base}`,
    query: 'filter={unique}',
    as,
    status: 200,
    response: {
      sshkeys: [
        {
          ...MADE,
          id: '{sshkeyId}',
          content: '{otherPublicKey}',
          description: 'desktop {unique}',
          fingerprint: '{otherFingerprint}',
        },
      ],
    },
  },
  { title: 'is deleted', operation: `DELETE ${base}/{sshkeyId}`, as, status: 204 },
  {
    title: 'is gone',
    operation: `GET ${base}/{sshkeyId}`,
    as,
    status: 404,
    response: refused(404, 'SSH key not found'),
  },
];

const apiKeys = '/organisations/{organisationId}/users/{userId}/apikeys';
const WHITELIST = ['192.0.2.1', '2001:db8::1'] as const;

export const KEY_SCENARIOS: readonly Scenario[] = [
  {
    area: 'sshkeys',
    title: 'a user keeps SSH keys',
    needs: ['user'],
    examples: sshKeyExamples('/organisations/{organisationId}/users/{userId}/sshkeys', 'person'),
  },
  {
    area: 'sshkeys',
    title: 'an organisation keeps deploy keys',
    examples: sshKeyExamples('/organisations/{organisationId}/sshkeys', 'admin'),
  },
  {
    area: 'apikeys',
    title: 'a user keeps API keys',
    only: 'A',
    needs: ['user'],
    examples: [
      {
        title: 'needs a name and a list of addresses',
        operation: `POST ${apiKeys}`,
        as: 'person',
        body: { whitelist: ['192.0.2.300', '192.0.2.1', '0.0.0.0/0'] },
        status: 400,
        response: invalid({ name: ['REQUIRED'], whitelist: ['INVALID_IP_ADDRESS', 'RANGE_TOO_WIDE'] }),
      },
      {
        title: 'is created, and shows its hash once',
        operation: `POST ${apiKeys}`,
        as: 'person',
        body: { name: 'robot {unique}', whitelist: [] },
        status: 200,
        response: {
          apiKey: {
            id: '<id> as apiKeyId',
            name: 'robot {unique}',
            whitelist: [],
            hash: '<hash64> as key',
          },
        },
      },
      {
        title: 'is a credential',
        operation: `GET ${apiKeys}`,
        query: 'filter={unique}',
        as: 'key',
        status: 200,
        response: {
          total: 1,
          apiKeys: [
            { id: '{apiKeyId}', name: 'robot {unique}', whitelist: [], dtExpires: '<timestamp> as expiry' },
          ],
        },
      },
      {
        title: 'is read by itself',
        operation: `GET ${apiKeys}/{apiKeyId}`,
        as: 'key',
        status: 200,
        response: {
          apiKey: {
            id: '{apiKeyId}',
            name: 'robot {unique}',
            whitelist: [],
            readOnly: false,
            dtCreated: '<timestamp>',
            // It is written beside the answer to the first use.
            dtLastUsed: '<text>',
            dtRotated: '',
            dtExpires: '{expiry}',
          },
        },
      },
      {
        title: 'makes no keys itself',
        operation: `POST ${apiKeys}`,
        as: 'key',
        body: { name: 'robot {unique}', whitelist: [] },
        status: 403,
        response: refused(403),
      },
      {
        title: 'is rotated, and shows the hash of the new key once',
        operation: `POST ${apiKeys}/{apiKeyId}/rotate`,
        as: 'person',
        body: { oldKeyHours: 0 },
        status: 200,
        response: {
          apiKey: {
            id: '<id> as newKeyId',
            name: 'robot {unique}',
            whitelist: [],
            hash: '<hash64> as newKey',
          },
        },
      },
      {
        title: 'is gone with that',
        operation: `GET ${apiKeys}/{apiKeyId}`,
        as: 'newKey',
        status: 404,
        response: refused(404),
      },
      {
        title: 'is created for reading alone, until a moment of choice',
        operation: `POST ${apiKeys}`,
        as: 'person',
        body: { name: 'reader {unique}', whitelist: [], readOnly: true, expires: '{tomorrow}' },
        status: 200,
        response: {
          apiKey: {
            id: '<id> as readerId',
            name: 'reader {unique}',
            whitelist: [],
            hash: '<hash64> as reader',
          },
        },
      },
      {
        title: 'is refused for more than reading',
        operation: `DELETE ${apiKeys}/{apiKeyId}`,
        with: { apiKeyId: '{readerId}' },
        as: 'reader',
        status: 403,
        response: { ...(refused(403) as object), reason: 'API_KEY_READ_ONLY' },
      },
      {
        title: 'is refused an end that is over',
        operation: `POST ${apiKeys}`,
        as: 'person',
        body: { name: 'robot {unique}', whitelist: [], expires: '1767225600' },
        status: 400,
        response: invalid({ expires: ['TOO_SMALL'] }),
      },
      {
        title: 'is deleted by its user',
        operation: `DELETE ${apiKeys}/{apiKeyId}`,
        with: { apiKeyId: '{readerId}' },
        as: 'person',
        status: 204,
      },
      {
        title: 'is changed',
        operation: `PUT ${apiKeys}/{apiKeyId}`,
        with: { apiKeyId: '{newKeyId}' },
        as: 'person',
        body: { name: 'robot 2 {unique}', whitelist: ['192.0.2.1', '2001:0DB8::0001'] },
        status: 204,
      },
      {
        title: 'shows the addresses in canonical form',
        operation: `GET ${apiKeys}`,
        query: 'filter={unique}',
        as: 'person',
        status: 200,
        response: {
          total: 1,
          apiKeys: [
            {
              id: '{newKeyId}',
              name: 'robot 2 {unique}',
              whitelist: WHITELIST,
              dtExpires: '<timestamp>',
            },
          ],
        },
      },
      {
        title: 'is refused from other addresses',
        operation: 'GET /whoami',
        as: 'newKey',
        status: 403,
        response: refused(403),
      },
      {
        title: 'is deleted',
        operation: `DELETE ${apiKeys}/{apiKeyId}`,
        with: { apiKeyId: '{newKeyId}' },
        as: 'person',
        status: 204,
      },
      {
        title: 'is no credential any more',
        operation: 'GET /whoami',
        as: 'newKey',
        status: 401,
        response: refused(401),
      },
    ],
  },
];
