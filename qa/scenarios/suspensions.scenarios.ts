import { invalid, refused, roleRequired, suspension, suspensionState } from '../responses';
import { example, type Json, type Scenario, scenario } from '../scenario';

const actions = '/organisations/{organisationId}/actions';

const OPEN: Json = { state: suspensionState() };
const SUSPENDED: Json = {
  state: suspensionState({
    status: 'deactivated',
    suspensions: [suspension({ withSubOrganisations: true, reason: 'Invoice 2026-117 is not paid' })],
  }),
};

/** Organisations whose users are kept out for a while. */
export const SUSPENSION_SCENARIOS: readonly Scenario[] = [
  scenario('suspensions', 'a customer is suspended', { needs: ['person'], personRoles: 'ROLE_CUSTADMIN' }, [
    example(
      'knows two actions',
      ['admin', `POST ${actions}`, { type: 'pause' }],
      [400, invalid({ type: ['NOT_A_CHOICE'] })],
    ),
    example('is told its state', ['person', `GET ${actions}`], [200, OPEN]),
    example(
      'does not disable itself',
      ['person', `POST ${actions}`, { type: 'disable' }],
      [500, roleRequired],
    ),
    example(
      'never is, where it is the operator',
      ['admin', `POST ${actions}`, { type: 'disable' }],
      [
        400,
        {
          ...(refused(400, 'The operator organisation cannot be disabled') as object),
          reason: 'OPERATOR_ORGANISATION',
        },
      ],
      { with: { organisationId: 1 } },
    ),
    example(
      'is disabled, with all beneath it',
      [
        'admin',
        `POST ${actions}`,
        { type: 'disable', reason: 'Invoice 2026-117 is not paid', withSubOrganisations: true },
      ],
      [200, SUSPENDED],
    ),
    example('cannot call any more', ['person', 'GET /whoami'], [401, refused(401)]),
    example(
      'cannot log in any more',
      ['nobody', 'POST /login', { username: '{username}', password: '{password}' }],
      [401, refused(401)],
    ),
    example('is shown to managers, with the reason', ['admin', `GET ${actions}`], [200, SUSPENDED]),
    example('is enabled', ['admin', `POST ${actions}`, { type: 'enable' }], [200, OPEN]),
    example('is let in as before', ['person', `GET ${actions}`], [200, OPEN]),
  ]),
];
