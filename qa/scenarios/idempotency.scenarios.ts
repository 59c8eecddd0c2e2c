import { contactRecord, invalid, preferences, refused } from '../responses';
import { example, type Json, type Scenario, scenario } from '../scenario';

const contacts = '/organisations/{organisationId}/users/{userId}/contacts';
const body = { type: 'email', name: 'again-{unique}@example.com', preferences: 'Finance' };
const headers = { 'Idempotency-Key': 'again-{unique}' };

const contact = (id: string): Json => ({
  contact: contactRecord({ id, name: 'again-{unique}@example.com', preferences: preferences('Finance') }),
});

/** Requests that are sent again because nobody knows what became of them. */
export const IDEMPOTENCY_SCENARIOS: readonly Scenario[] = [
  scenario('retries', 'a request is sent again', { needs: ['user'] }, [
    example(
      'needs a key without spaces',
      ['person', `POST ${contacts}`, body],
      [400, invalid({ 'Idempotency-Key': ['INVALID'] })],
      { headers: { 'Idempotency-Key': 'again {unique}' } },
    ),
    example('is done', ['person', `POST ${contacts}`, body], [201, contact('<id> as contactId')], {
      headers,
    }),
    example(
      'gets the same response, though the address is taken now',
      ['person', `POST ${contacts}`, body],
      [201, contact('{contactId}')],
      { headers },
    ),
    example(
      'is refused with another body',
      ['person', `POST ${contacts}`, { ...body, preferences: '' }],
      [422, { ...(refused(422) as Record<string, Json>), reason: 'IDEMPOTENCY_KEY_REUSED' }],
      { headers },
    ),
  ]),
];
