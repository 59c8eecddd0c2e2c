import { deliveryRecord, invalid, refused, roleRequired, teamRecord, webhookRecord } from '../responses';
import { example, type Json, type Scenario, scenario } from '../scenario';

const webhooks = '/organisations/{organisationId}/webhooks';
const webhook = `${webhooks}/{webhookId}`;
const body = { url: 'https://receiver.invalid/{unique}', events: ['users.*', 'organisations.updated'] };

const sent = (event: string): Json => ({ deliveries: [deliveryRecord({ event })] });

/** Receivers of events. The name of this one has no address. */
export const WEBHOOK_SCENARIOS: readonly Scenario[] = [
  scenario('webhooks', 'a manager keeps the webhooks', { needs: ['person'], personRoles: 'ROLE_CUSTADMIN' }, [
    example(
      'is created, and its secret is shown once',
      ['person', `POST ${webhooks}`, body],
      [
        201,
        {
          webhook: {
            ...webhookRecord({ id: '<id> as webhookId', lastError: '' }),
            secret: '<secret> as secret',
          },
        },
      ],
    ),
    example('is read', ['person', `GET ${webhook}`], [200, { webhook: webhookRecord() }]),
    example('is listed', ['person', `GET ${webhooks}`], [200, { total: 1, webhooks: [webhookRecord()] }], {
      query: 'filter={unique}&orderBy=dtCreated',
    }),
    example(
      'is refused a URL without https, and unknown events',
      ['person', `POST ${webhooks}`, { url: 'ftp://receiver.invalid/', events: ['kites.flown'] }],
      [400, invalid({ url: ['INVALID_URL'], events: ['UNKNOWN_EVENT'] })],
    ),
    example(
      'is refused a port that nobody listens on',
      ['person', `POST ${webhooks}`, { ...body, url: 'https://receiver.invalid:0/x' }],
      [400, invalid({ url: ['INVALID_URL'] })],
    ),
    example(
      'is refused an address that is not public',
      ['person', `POST ${webhooks}`, { ...body, url: 'https://169.254.169.254/' }],
      [400, invalid({ url: ['ADDRESS_NOT_PUBLIC'] })],
    ),
    example(
      'is changed',
      [
        'person',
        `PUT ${webhook}`,
        { url: 'https://receiver.invalid/2{unique}', events: ['*'], beneath: true, enabled: false },
      ],
      [204],
    ),
    example('sends a test', ['person', `POST ${webhook}/test`], [204]),
    example(
      'shows what was sent and what waits',
      ['person', `GET ${webhook}/deliveries`],
      [
        200,
        {
          deliveries: [deliveryRecord({ id: '<id> as deliveryId', status: 0, error: '<text>' })],
        },
      ],
    ),
    example('sends it again', ['person', `POST ${webhook}/deliveries/{deliveryId}/resend`], [204]),
    example(
      'has no such delivery',
      ['person', `POST ${webhook}/deliveries/{deliveryId}/resend`],
      [404, refused(404, 'Delivery not found')],
      { with: { deliveryId: 2147483647 } },
    ),
    example(
      'gets a new secret, which is shown once',
      ['person', `POST ${webhook}/rotate`, { password: '{password}' }],
      [
        201,
        {
          webhook: {
            ...webhookRecord({
              url: 'https://receiver.invalid/2{unique}',
              events: ['*'],
              beneath: true,
              enabled: false,
            }),
            secret: '<secret>',
          },
        },
      ],
    ),
    example('is deleted', ['person', `DELETE ${webhook}`], [204]),
    example('is gone', ['person', `GET ${webhook}`], [404, refused(404, 'Webhook not found')]),
  ]),
  scenario('webhooks', 'who manages nothing does not', { needs: ['person'] }, [
    example('lists none', ['person', `GET ${webhooks}`], [500, roleRequired]),
    example('makes none', ['person', `POST ${webhooks}`, body], [500, roleRequired]),
  ]),
];

/** Only webhooks of the operator reach a receiver that is not public. */
const OFFICE = { with: { organisationId: 1 } };
const TEAM = { name: 'Team {unique}', autoAddSshkey: true };

/** What arrives, where the deployment reaches a receiver of the run. */
export const DELIVERY_SCENARIOS: readonly Scenario[] = [
  scenario('deliveries', 'events arrive, signed', { needs: ['receiver'] }, [
    example(
      'is created for a receiver',
      ['admin', `POST ${webhooks}`, { url: '{webhookUrl}', events: ['teams.created'] }],
      [
        201,
        {
          webhook: {
            ...webhookRecord({
              id: '<id> as webhookId',
              url: '{webhookUrl}',
              events: ['teams.created'],
              lastError: '',
            }),
            secret: '<secret> as webhookSecret',
          },
        },
      ],
      OFFICE,
    ),
    example('sends a test', ['admin', `POST ${webhook}/test`], [204], OFFICE),
    example('has sent it', ['admin', `GET ${webhook}/deliveries`], [200, sent('webhook.test')], {
      ...OFFICE,
      query: 'filter={receivedEvent}',
    }),
    example(
      'is told of a new team',
      ['admin', 'POST /organisations/{organisationId}/teams', TEAM],
      [201, { team: teamRecord({ id: '<id> as teamId', name: 'Team {unique}' }) }],
      OFFICE,
    ),
    example('has sent it too', ['admin', `GET ${webhook}/deliveries`], [200, sent('teams.created')], {
      ...OFFICE,
      query: 'filter={receivedEvent}',
    }),
    example('is deleted', ['admin', `DELETE ${webhook}`], [204], OFFICE),
    example(
      'leaves no team behind',
      ['admin', 'DELETE /organisations/{organisationId}/teams/{teamId}'],
      [204],
      OFFICE,
    ),
  ]),
];
