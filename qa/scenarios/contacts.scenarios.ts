import { contactRecord, invalid, preferences, refused } from '../responses';
import { type Example, example, type Scenario, scenario } from '../scenario';

const GROUPS = { preferences: preferences('System', 'Mail') };

/** Contacts of a user and of an organisation have the same operations. */
const contactExamples = (base: string, as: string): readonly Example[] => [
  example(
    'needs type and name',
    [as, `POST ${base}`, {}],
    [400, invalid({ type: ['REQUIRED'], name: ['REQUIRED'] })],
  ),
  example(
    'has one of three types, a name that is no blank, and groups in their spelling',
    [as, `POST ${base}`, { type: 'fax', name: ' ', preferences: 'system' }],
    [400, invalid({ type: ['NOT_A_CHOICE'], name: ['REQUIRED'], preferences: ['DOES_NOT_EXIST'] })],
  ),
  example(
    'has a name of a bounded length, and groups in one text',
    [as, `POST ${base}`, { type: 'email', name: `${'a'.repeat(300)}@example.com`, preferences: ['System'] }],
    [400, invalid({ name: ['TOO_LONG'], preferences: ['WRONG_TYPE'] })],
  ),
  example(
    'refuses unknown groups',
    [
      as,
      `POST ${base}`,
      { type: 'email', name: 'qa-{unique}@example.com', preferences: 'System,Weather,Tide' },
    ],
    [400, invalid({ preferences: ['DOES_NOT_EXIST', 'DOES_NOT_EXIST'] })],
  ),
  ...[
    ['email', 'INVALID_EMAIL_ADDRESS'] as const,
    ['phone', 'INVALID_PHONE_NUMBER'] as const,
    ['slack', 'INVALID_SLACK_CHANNEL'] as const,
  ].map(([type, word]) =>
    example(
      `refuses what is no address of its type`,
      [as, `POST ${base}`, { type, name: 'no address!' }],
      [400, invalid({ name: [word] })],
    ),
  ),
  example(
    'is created',
    [as, `POST ${base}`, { type: 'email', name: 'qa-{unique}@example.com', preferences: 'System,Mail' }],
    [201, { contact: contactRecord({ id: '<id> as contactId', ...GROUPS }) }],
  ),
  example(
    'is unique without regard to case',
    [as, `POST ${base}`, { type: 'email', name: 'QA-{unique}@example.com' }],
    [400, invalid({ name: ['ALREADY_TAKEN'] })],
  ),
  example('is read', [as, `GET ${base}/{contactId}`], [200, { contact: contactRecord(GROUPS) }]),
  example(
    'keeps its type',
    [as, `PUT ${base}/{contactId}`, { type: 'slack', name: '#qa-{unique}' }],
    [400, invalid({ type: ['NOT_CHANGEABLE'] })],
  ),
  example(
    'needs its type to be changed',
    [as, `PUT ${base}/{contactId}`, { name: 'qa2-{unique}@example.com' }],
    [400, invalid({ type: ['REQUIRED'] })],
  ),
  example(
    'is changed, and keeps the groups that are not named',
    [as, `PUT ${base}/{contactId}`, { type: 'email', name: 'qa2-{unique}@example.com' }],
    [204],
  ),
  example(
    'stands in the list',
    [as, `GET ${base}`],
    [200, { contacts: [contactRecord({ name: 'qa2-{unique}@example.com', ...GROUPS })] }],
    { query: 'filter={unique}' },
  ),
  example('is deleted', [as, `DELETE ${base}/{contactId}`, { password: '{password}' }], [204]),
  example('is gone', [as, `GET ${base}/{contactId}`], [404, refused(404, 'Contact not found')]),
];

export const CONTACT_SCENARIOS: readonly Scenario[] = [
  scenario(
    'contacts',
    'a user keeps contacts',
    { needs: ['user'] },
    contactExamples('/organisations/{organisationId}/users/{userId}/contacts', 'person'),
  ),
  scenario(
    'contacts',
    'an organisation keeps contacts',
    {},
    contactExamples('/organisations/{organisationId}/contacts', 'admin'),
  ),
];
