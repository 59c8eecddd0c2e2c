import type { Sample, Story } from '../../qa/sample';
import { invalid, preferences, refused } from './answers';

const MADE = {
  id: '<id> as contactId',
  type: 'email',
  name: 'qa-{unique}@example.com',
  preferences: preferences('System', 'Mail'),
} as const;

/** Contacts, of a user and in Variant B of an organisation: the same operations. */
const contactSamples = (base: string, as: string): readonly Sample[] => [
  {
    title: 'needs type and name',
    operation: `POST ${base}`,
    as,
    body: {},
    status: 400,
    answer: invalid('type', 'name'),
  },
  {
    title: 'refuses unknown groups',
    operation: `POST ${base}`,
    as,
    body: { type: 'email', name: 'qa-{unique}@example.com', preferences: 'System,Weather' },
    status: 400,
    answer: invalid('preferences'),
  },
  ...['email', 'phone', 'slack'].map((type) => ({
    title: `refuses what is no address of its type`,
    operation: `POST ${base}`,
    as,
    body: { type, name: 'no address!' },
    status: 400,
    answer: invalid('name'),
  })),
  {
    title: 'is created',
    operation: `POST ${base}`,
    as,
    body: { type: 'email', name: 'qa-{unique}@example.com', preferences: 'System,Mail' },
    status: 201,
    answer: { contact: MADE },
  },
  {
    title: 'is unique without regard to case',
    operation: `POST ${base}`,
    as,
    body: { type: 'email', name: 'QA-{unique}@example.com' },
    status: 400,
    answer: invalid('name'),
  },
  {
    title: 'is read',
    operation: `GET ${base}/{contactId}`,
    as,
    status: 200,
    answer: { contact: { ...MADE, id: '{contactId}' } },
  },
  {
    title: 'keeps its type',
    operation: `PUT ${base}/{contactId}`,
    as,
    body: { type: 'slack', name: '#qa-{unique}' },
    status: 400,
    answer: invalid('type'),
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
    answer: { contacts: [{ ...MADE, id: '{contactId}', name: 'qa2-{unique}@example.com' }] },
  },
  { title: 'is deleted', operation: `DELETE ${base}/{contactId}`, as, status: 204 },
  { title: 'is gone', operation: `GET ${base}/{contactId}`, as, status: 404, answer: refused(404) },
];

export const CONTACT_STORIES: readonly Story[] = [
  {
    area: 'contacts',
    title: 'a user keeps contacts',
    needs: ['user'],
    samples: contactSamples('/organisations/{organisationId}/users/{userId}/contacts', 'person'),
  },
  {
    area: 'contacts',
    title: 'an organisation keeps contacts',
    only: 'B',
    samples: contactSamples('/organisations/{organisationId}/contacts', 'admin'),
  },
];
