import type { Json, Scenario } from '../../qa/scenario';
import { invalid, refused, roleRequired } from './responses';

const actions = '/organisations/{organisationId}/actions';

const STATE = { id: '{organisationId}', name: '{organisationName}', status: 'ok', suspensions: [] } as const;

const OPEN: Json = { state: STATE };
const SUSPENDED: Json = {
  state: {
    ...STATE,
    status: 'deactivated',
    suspensions: [
      {
        organisation: { id: '{organisationId}', name: '{organisationName}' },
        itself: true,
        withSubOrganisations: true,
        reason: 'Invoice 2026-117 is not paid',
        since: '<timestamp>',
        by: { id: '{adminId}', fullname: '{adminFirstName} {adminLastName}' },
      },
    ],
  },
};

/** Organisations whose users are kept out for a while. */
export const SUSPENSION_SCENARIOS: readonly Scenario[] = [
  {
    area: 'suspensions',
    title: 'a customer is suspended',
    needs: ['person'],
    personRoles: 'ROLE_CUSTADMIN',
    examples: [
      {
        title: 'knows two actions',
        operation: `POST ${actions}`,
        as: 'admin',
        body: { type: 'pause' },
        status: 400,
        response: invalid({ type: ['NOT_A_CHOICE'] }),
      },
      {
        title: 'is told its state',
        operation: `GET ${actions}`,
        as: 'person',
        status: 200,
        response: OPEN,
      },
      {
        title: 'does not disable itself',
        operation: `POST ${actions}`,
        as: 'person',
        body: { type: 'disable' },
        status: 500,
        response: roleRequired,
      },
      {
        title: 'never is, where it is the operator',
        operation: `POST ${actions}`,
        with: { organisationId: 1 },
        as: 'admin',
        body: { type: 'disable' },
        status: 400,
        response: refused(400, 'The operator organisation can not be disabled'),
      },
      {
        title: 'is disabled, with all beneath it',
        operation: `POST ${actions}`,
        as: 'admin',
        body: { type: 'disable', reason: 'Invoice 2026-117 is not paid', withSubOrganisations: true },
        status: 200,
        response: SUSPENDED,
      },
      {
        title: 'can not call any more',
        operation: 'GET /whoami',
        as: 'person',
        status: 401,
        response: refused(401),
      },
      {
        title: 'can not log in any more',
        operation: 'POST /login',
        body: { username: '{username}', password: '{password}' },
        status: 401,
        response: refused(401),
      },
      {
        title: 'is shown to managers, with the reason',
        operation: `GET ${actions}`,
        as: 'admin',
        status: 200,
        response: SUSPENDED,
      },
      {
        title: 'is enabled',
        operation: `POST ${actions}`,
        as: 'admin',
        body: { type: 'enable' },
        status: 200,
        response: OPEN,
      },
      {
        title: 'is let in as before',
        operation: `GET ${actions}`,
        as: 'person',
        status: 200,
        response: OPEN,
      },
    ],
  },
];
