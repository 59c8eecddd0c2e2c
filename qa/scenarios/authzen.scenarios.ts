import { invalid, roleRequired } from '../responses';
import { example, type Json, type Scenario, scenario } from '../scenario';

const person: Json = { type: 'user', id: '{text userId}' };
const organisation: Json = { type: 'organisation', id: '{text organisationId}' };
const reads: Json = { name: 'organisations.read' };
const invites: Json = { name: 'invitations.create' };

const BY_MEMBER = 'The user holds neither ROLE_ADMIN nor ROLE_CUSTADMIN: the column of other users counts.';
const allowed: Json = { decision: true, context: { reason: 'ALLOWED', because: BY_MEMBER } };
const lacksRole: Json = { decision: false, context: { reason: 'ROLE_REQUIRED', because: BY_MEMBER } };

const denied = (reason: string): Json => ({ decision: false, context: { reason, because: '<words>' } });

/** OpenID AuthZEN Authorization API 1.0 (rule other-services 30). */
export const AUTHZEN_SCENARIOS: readonly Scenario[] = [
  scenario('access', 'another service asks who may do what', { needs: ['person'] }, [
    example(
      'decides as the guard does',
      ['admin', 'POST /access/v1/evaluation', { subject: person, action: reads, resource: organisation }],
      [200, allowed],
    ),
    example(
      'says why not, and ignores what the standard leaves open',
      [
        'admin',
        'POST /access/v1/evaluation',
        {
          subject: person,
          action: { name: 'invitations.create', properties: { method: 'POST' } },
          resource: organisation,
          context: { time: '2026-11-23T09:00:00Z', future: true },
        },
      ],
      [200, lacksRole],
    ),
    example(
      'says false of what is unknown',
      [
        'admin',
        'POST /access/v1/evaluation',
        { subject: { type: 'spaceship', id: '1' }, action: reads, resource: organisation },
      ],
      [200, denied('UNKNOWN_SUBJECT')],
    ),
    example(
      'needs a subject, an action and a resource, whole',
      ['admin', 'POST /access/v1/evaluation', { action: {}, resource: { type: 'organisation', id: 12 } }],
      [400, invalid({ subject: ['REQUIRED'], action: ['REQUIRED'], resource: ['WRONG_TYPE'] })],
    ),
    example(
      'is for admins and service keys',
      ['person', 'POST /access/v1/evaluation', { subject: person, action: reads, resource: organisation }],
      [500, roleRequired],
    ),
    example(
      'decides on a list with defaults',
      [
        'admin',
        'POST /access/v1/evaluations',
        {
          subject: person,
          resource: { type: 'organisation' },
          evaluations: [
            { action: reads, resource: organisation },
            { action: invites, resource: organisation },
            { action: reads },
          ],
        },
      ],
      [200, { evaluations: [allowed, lacksRole, denied('MALFORMED')] }],
    ),
    example(
      'stops where the semantic says so',
      [
        'admin',
        'POST /access/v1/evaluations',
        {
          subject: person,
          resource: organisation,
          options: { evaluations_semantic: 'deny_on_first_deny' },
          evaluations: [{ action: invites }, { action: reads }],
        },
      ],
      [200, { evaluations: [lacksRole] }],
    ),
    example(
      'takes a body without a list as one question',
      ['admin', 'POST /access/v1/evaluations', { subject: person, action: reads, resource: organisation }],
      [200, allowed],
    ),
    example(
      'knows three semantics',
      [
        'admin',
        'POST /access/v1/evaluations',
        { subject: person, options: { evaluations_semantic: 'first' }, evaluations: [{}] },
      ],
      [400, invalid({ options: ['NOT_A_CHOICE'] })],
    ),
    example(
      'tells everybody where it is served',
      ['nobody', 'GET /.well-known/authzen-configuration'],
      [
        200,
        {
          policy_decision_point: '<url>',
          access_evaluation_endpoint: '<url>',
          access_evaluations_endpoint: '<url>',
        },
      ],
    ),
  ]),
];
