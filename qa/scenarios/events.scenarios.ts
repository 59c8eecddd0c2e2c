import { eventRecord, invalid, roleRequired } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const events = '/organisations/{organisationId}/events';

/** What changed in an organisation, for programs. */
export const EVENT_SCENARIOS: readonly Scenario[] = [
  scenario('events', 'a manager follows what changes', { needs: ['person'], personRoles: 'ROLE_CUSTADMIN' }, [
    example(
      'reads what there is, and where to go on',
      ['person', `GET ${events}`],
      [200, { events: '<list>', next: '<digits> as next' }],
      { query: 'limit=0' },
    ),
    example(
      'changes its name',
      [
        'person',
        'PATCH /organisations/{organisationId}/users/{userId}',
        { username: '{username}', firstName: 'Anne', lastName: 'de Boer' },
      ],
      [204],
    ),
    example(
      'is told of that, without the name',
      ['person', `GET ${events}`],
      [
        200,
        {
          events: [eventRecord('users.updated', { changed: ['firstName'] })],
          next: '<digits> as end',
        },
      ],
      { query: 'after={next}&beneath=true' },
    ),
    example('goes on at the end', ['person', `GET ${events}`], [200, { events: [], next: '{end}' }], {
      query: 'after={end}',
    }),
    example(
      'refuses what is no place in the feed',
      ['person', `GET ${events}`],
      [400, invalid({ after: ['INVALID'] })],
      { query: 'after=yesterday' },
    ),
    example(
      'refuses what is neither true nor false',
      ['person', `GET ${events}`],
      [400, invalid({ beneath: ['NOT_A_CHOICE'] })],
      { query: 'beneath=perhaps' },
    ),
  ]),
  scenario('events', 'who manages nothing does not', { needs: ['person'] }, [
    example('is for managers', ['person', `GET ${events}`], [500, roleRequired]),
  ]),
];
