import { example, type Scenario, scenario } from '../../tools/qa/scenario';
import { ADMIN_ITEM, invalid } from './responses';

const organisation = '/organisations/{organisationId}';
const notification = {
  id: '<id> as notificationId',
  entityIndex: 'Organisation-{organisationId}',
  entityName: '{organisationName}',
  dtStamp: '<timestamp>',
  notificationGroup: 'Crm',
  type: 'qa{unique}',
  entityClass: 'Organisation',
  entityId: '{organisationId}',
  rootEntityClass: 'Organisation',
  rootEntityId: '{organisationId}',
  status: '<integer>',
  statusDisplay: '<words>',
  statusCategory: '<words>',
  sendMode: 0,
  priority: 0,
  subject: null,
  params: { ticket: 7, lines: ['a', 'b'] },
  userId: '{adminId}',
  contacts: [],
  extraRecipients: [],
  entity: { id: '{organisationId}', name: '{organisationName}' },
  user: ADMIN_ITEM,
} as const;

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
      [
        'admin',
        `POST ${organisation}/notifications`,
        { type: 'qa{unique}', group: 'Crm', params: { ticket: 7, lines: ['a', 'b'] } },
      ],
      [
        201,
        {
          notificationOrganisation: {
            ...notification,
            status: 0,
            statusDisplay: 'queued',
            statusCategory: 'grey',
          },
        },
      ],
    ),
    example(
      'stands in the list of its type',
      ['admin', `GET ${organisation}/notifications`],
      [200, { notifications: [{ ...notification, id: '{notificationId}' }] }],
      { query: 'type=qa{unique}' },
    ),
    example(
      'stands in the list of its group',
      ['admin', `GET ${organisation}/notifications/crm`],
      [200, { notifications: [{ ...notification, id: '{notificationId}' }] }],
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
