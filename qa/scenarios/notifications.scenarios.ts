import { invalid, notificationRecord } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const organisation = '/organisations/{organisationId}';
const params = { ticket: 7, lines: ['a', 'b'] };

/** The notifications of an organisation. */
export const NOTIFICATION_SCENARIOS: readonly Scenario[] = [
  scenario('notifications', 'an organisation is notified', {}, [
    example(
      'needs type and group',
      ['admin', `POST ${organisation}/notifications`, { group: 'Weather', params: 'none' }],
      [400, invalid({ type: ['REQUIRED'], group: ['NOT_A_CHOICE'], params: ['WRONG_TYPE'] })],
    ),
    example(
      'is created, and is queued until a job has looked who wants it',
      ['admin', `POST ${organisation}/notifications`, { type: 'qa{unique}', group: 'Crm', params }],
      [
        201,
        {
          notificationOrganisation: notificationRecord({
            id: '<id> as notificationId',
            status: 0,
            statusDisplay: 'queued',
            statusCategory: 'grey',
            params,
          }),
        },
      ],
    ),
    example(
      'stands in the list of its type',
      ['admin', `GET ${organisation}/notifications`],
      [200, { notifications: [notificationRecord({ params })] }],
      { query: 'type=qa{unique}' },
    ),
    example(
      'stands in the list of its group',
      ['admin', `GET ${organisation}/notifications/crm`],
      [200, { notifications: [notificationRecord({ params })] }],
      { query: 'type=qa{unique}' },
    ),
    example(
      'is ordered by what there is',
      ['admin', `GET ${organisation}/notifications`],
      [400, invalid({ orderType: ['NOT_A_CHOICE'] })],
      { query: 'orderType=upwards' },
    ),
  ]),
];
