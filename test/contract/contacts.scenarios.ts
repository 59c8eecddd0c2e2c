import type { Example, Scenario } from '../../qa/scenario';
import { invalid, preferences, refused } from './responses';

const MADE = {
  id: '<id> as contactId',
  type: 'email',
  name: 'qa-{unique}@example.com',
  preferences: preferences('System', 'Mail'),
} as const;

/** Contacts, of a user and in Variant B of an organisation: the same operations. */
const contactExamples = (base: string, as: string): readonly Example[] => [
  {
    title: 'needs type and name',
    operation: `POST ${base}`,
    as,
    body: {},
    status: 400,
    response: invalid({ type: ['REQUIRED'], name: ['REQUIRED'] }),
  },
  {
    title: 'refuses unknown groups',
    operation: `POST ${base}`,
    as,
    body: { type: 'email', name: 'qa-{unique}@example.com', preferences: 'System,Weather,Tide' },
    status: 400,
    response: invalid({ preferences: ['DOES_NOT_EXIST', 'DOES_NOT_EXIST'] }),
  },
  ...[
    ['email', 'INVALID_EMAIL_ADDRESS'] as const,
    ['phone', 'INVALID_PHONE_NUMBER'] as const,
    ['slack', 'INVALID_SLACK_CHANNEL'] as const,
  ].map(([type, word]) => ({
    title: `refuses what is no address of its type`,
    operation: `POST ${base}`,
    as,
    body: { type, name: 'no address!' },
    status: 400,
    response: invalid({ name: [word] }),
  })),
  {
    title: 'is created',
    operation: `POST ${base}`,
    as,
    body: { type: 'email', name: 'qa-{unique}@example.com', preferences: 'System,Mail' },
    status: 201,
    response: { contact: MADE },
  },
  {
    title: 'is unique without regard to case',
    operation: `POST ${base}`,
    as,
    body: { type: 'email', name: 'QA-{unique}@example.com' },
    status: 400,
    response: invalid({ name: ['ALREADY_TAKEN'] }),
  },
  {
    title: 'is read',
    operation: `GET ${base}/{contactId}`,
    as,
    status: 200,
    response: { contact: { ...MADE, id: '{contactId}' } },
  },
  {
    title: 'keeps its type',
    operation: `PUT ${base}/{contactId}`,
    as,
    body: { type: 'slack', name: '#qa-{unique}' },
    status: 400,
    response: invalid({ type: ['NOT_CHANGEABLE'] }),
  },
  {
    title: 'is changed, and keeps the groups that are not named',
    operation: `PUT ${base}/{contactId}`,
    as,
    body: { type: 'email', name: 'qa2-{unique}@example.com' },
    status: 204,
  },
  {
    title: 'stands in the list',
    operation: `GET ${base}`,
    query: 'filter={unique}',
    as,
    status: 200,
    response: { contacts: [{ ...MADE, id: '{contactId}', name: 'qa2-{unique}@example.com' }] },
  },
  { title: 'is deleted', operation: `DELETE ${base}/{contactId}`, as, status: 204 },
  {
    title: 'is gone',
    operation: `GET ${base}/{contactId}`,
    as,
    status: 404,
    response: refused(404, 'Contact not found'),
  },
];

export const CONTACT_SCENARIOS: readonly Scenario[] = [
  {
    area: 'contacts',
    title: 'a user keeps contacts',
    needs: ['user'],
    examples: contactExamples('/organisations/{organisationId}/users/{userId}/contacts', 'person'),
  },
  {
    area: 'contacts',
    title: 'an organisation keeps contacts',
    only: 'B',
    examples: contactExamples('/organisations/{organisationId}/contacts', 'admin'),
  },
];
