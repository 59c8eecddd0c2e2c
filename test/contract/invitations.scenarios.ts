import type { Scenario } from '../../qa/scenario';
import { invalid, PERSON, refused, SHORT_PASSWORD } from './responses';

const invitations = '/organisations/{organisationId}/invitations';
const invitation = `${invitations}/{invitationId}`;
const MADE = {
  id: '<id> as invitationId',
  firstName: 'Anna',
  lastName: 'de Boer',
  email: 'qa-{unique}@{mailDomain}',
  status: 'ok',
  language: 'nl',
  organisation: { id: '{organisationId}' },
  fullname: 'Anna de Boer',
} as const;
const KNOWN = { ...MADE, id: '{invitationId}' } as const;
const CHANGED = { ...KNOWN, firstName: 'Anne', fullname: 'Anne de Boer', language: 'fr' } as const;
const body = { email: 'qa-{unique}@{mailDomain}', firstName: 'Anna', lastName: 'de Boer' } as const;
const registration = {
  email: 'qa-{unique}@{mailDomain}',
  organisationId: '{organisationId}',
  inviationId: '{invitationId}',
  password: '{password}',
} as const;
const noToken = { token: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' } as const;
const FORM = {
  id: '{invitationId}',
  email: 'qa-{unique}@{mailDomain}',
  firstName: 'Anna',
  lastName: 'de Boer',
  organisation: { id: '{organisationId}', name: '{organisationName}' },
} as const;
const RULES = {
  maxLength: 29,
  maxBytes: 72,
  digit: true,
  capital: false,
  special: false,
  description: '<words>',
} as const;
const REGISTERED = {
  id: '<id>',
  username: 'qa-{unique}@{mailDomain}',
  email: 'qa-{unique}@{mailDomain}',
} as const;

/** What the deprecated form does where `ALLOW_TOKENLESS_REGISTRATION=true` has it. */
export const TOKENLESS_SCENARIO: Scenario = {
  area: 'registration',
  title: 'an invited person registers without a token',
  examples: [
    {
      title: 'is invited',
      operation: `POST ${invitations}`,
      as: 'admin',
      body,
      status: 201,
      responses: {
        A: { invitation: { ...MADE, statusCategory: 'green' } },
        B: { invitation: MADE },
      },
    },
    {
      title: 'becomes a user, in the deprecated form',
      operation: 'POST /registerInvitation',
      body: registration,
      status: 201,
      responses: {
        A: { user: { ...PERSON.A, ...REGISTERED, roles: [] } },
        B: { user: { ...PERSON.B, ...REGISTERED, roles: [] } },
      },
    },
    {
      title: 'registers once',
      operation: 'POST /registerInvitation',
      body: registration,
      status: 400,
      response: refused(400),
    },
  ],
};

/** Invitations and what they are for: registration. */
export const INVITATION_SCENARIOS: readonly Scenario[] = [
  {
    area: 'invitations',
    title: 'a person is invited',
    examples: [
      {
        title: 'needs e-mail and names',
        operation: `POST ${invitations}`,
        as: 'admin',
        body: { email: 'no address' },
        status: 400,
        response: invalid({
          email: ['INVALID_EMAIL_ADDRESS'],
          firstName: ['REQUIRED'],
          lastName: ['REQUIRED'],
        }),
      },
      {
        title: 'knows the roles that it gives',
        operation: `POST ${invitations}`,
        as: 'admin',
        body: { ...body, autoRoles: 'ROLE_NOBODY' },
        status: 400,
        response: invalid({ autoRoles: ['DOES_NOT_EXIST'] }),
      },
      {
        title: 'is created',
        operation: `POST ${invitations}`,
        as: 'admin',
        body,
        status: 201,
        responses: { A: { invitation: { ...MADE, statusCategory: 'green' } }, B: { invitation: MADE } },
      },
      {
        title: 'is open once for an address',
        operation: `POST ${invitations}`,
        as: 'admin',
        body,
        status: 400,
        response: invalid({ email: ['ALREADY_INVITED'] }),
      },
      {
        title: 'stands in the list',
        operation: `GET ${invitations}`,
        query: 'filter={unique}',
        as: 'admin',
        status: 200,
        responses: {
          A: { invitations: [{ ...KNOWN, statusCategory: 'green' }] },
          B: { invitations: [KNOWN] },
        },
      },
      {
        title: 'is changed',
        operation: `PUT ${invitation}`,
        as: 'admin',
        body: { ...body, firstName: 'Anne', language: 'fr' },
        status: 204,
      },
      {
        title: 'shows the change',
        operation: `GET ${invitation}`,
        as: 'admin',
        status: 200,
        responses: { A: { invitation: { ...CHANGED, statusCategory: 'green' } }, B: { invitation: CHANGED } },
      },
      {
        title: 'is sent again',
        operation: `POST ${invitation}/resend`,
        as: 'admin',
        status: 200,
        responses: { A: { invitation: { ...CHANGED, statusCategory: 'green' } }, B: { invitation: CHANGED } },
      },
      {
        title: 'is available',
        operation: `GET ${invitation}/check`,
        as: 'admin',
        status: 200,
        response: { available: true },
      },
      {
        title: 'counts as open',
        only: 'A',
        operation: 'GET /organisations/{organisationId}/organisations',
        with: { organisationId: 1 },
        query: 'filter={organisationName}',
        as: 'admin',
        status: 200,
        response: {
          subOrganisations: [
            {
              id: '{organisation}',
              name: '{organisationName}',
              street: '',
              houseNumber: '',
              zip: '',
              city: '',
              country: null,
              parentOrganisation: '1',
              users: [],
              invitationCount: 1,
            },
          ],
        },
      },
      { title: 'is withdrawn', operation: `DELETE ${invitation}`, as: 'admin', status: 204 },
      {
        title: 'is gone',
        operation: `GET ${invitation}`,
        as: 'admin',
        status: 404,
        response: refused(404, 'Invitation not found'),
      },
      {
        title: 'cannot be checked any more',
        operation: `GET ${invitation}/check`,
        as: 'admin',
        status: 404,
        response: refused(404, 'Invitation not found'),
      },
    ],
  },
  {
    area: 'registration',
    title: 'nobody registers',
    examples: [
      {
        title: 'does not know a token that never was',
        operation: 'POST /registerInvitation/{token}',
        with: noToken,
        body: {},
        status: 404,
        response: refused(404, 'Invitation not found'),
      },
      {
        title: 'shows nothing for a token that never was',
        operation: 'GET /registerInvitation/{token}',
        with: noToken,
        status: 404,
        response: refused(404, 'Invitation not found'),
      },
      {
        title: 'refuses what nobody was invited with, in the deprecated form',
        operation: 'POST /registerInvitation',
        body: { ...registration, inviationId: 2147483647 },
        status: 400,
        response: refused(400),
      },
    ],
  },
  {
    area: 'registration',
    title: 'an invited person registers',
    needs: ['mail'],
    examples: [
      {
        title: 'is invited',
        operation: `POST ${invitations}`,
        as: 'admin',
        body: { ...body, autoRoles: 'ROLE_MAIL,ROLE_APP' },
        status: 201,
        responses: {
          A: { invitation: { ...MADE, email: '<words> as invited', statusCategory: 'green' } },
          B: { invitation: { ...MADE, email: '<words> as invited' } },
        },
      },
      {
        title: 'is shown what to register with',
        operation: 'GET /registerInvitation/{token}',
        with: { token: '{invitationToken}' },
        status: 200,
        responses: {
          A: { invitation: { ...FORM, passwordRules: { ...RULES, minLength: 8, special: true } } },
          B: { invitation: { ...FORM, passwordRules: { ...RULES, minLength: 9, capital: true } } },
        },
      },
      {
        title: 'must be who was invited',
        operation: 'POST /registerInvitation/{token}',
        with: { token: '{invitationToken}' },
        body: { ...registration, email: 'other-{unique}@example.com' },
        status: 400,
        response: refused(400),
      },
      {
        title: 'needs a password within the rules',
        operation: 'POST /registerInvitation/{token}',
        with: { token: '{invitationToken}' },
        body: { ...registration, password: 'short' },
        status: 400,
        responses: SHORT_PASSWORD,
      },
      {
        title: 'becomes a user with the roles of the invitation',
        operation: 'POST /registerInvitation/{token}',
        with: { token: '{invitationToken}' },
        body: registration,
        status: 201,
        responses: {
          A: {
            user: { ...PERSON.A, ...REGISTERED, id: '<id> as userId', roles: ['ROLE_MAIL', 'ROLE_APP'] },
          },
          B: {
            user: { ...PERSON.B, ...REGISTERED, id: '<id> as userId', roles: ['ROLE_MAIL', 'ROLE_APP'] },
          },
        },
      },
      {
        title: 'registers once',
        operation: 'POST /registerInvitation/{token}',
        with: { token: '{invitationToken}' },
        body: registration,
        status: 400,
        response: refused(400),
      },
      {
        title: 'is shown nothing any more',
        operation: 'GET /registerInvitation/{token}',
        with: { token: '{invitationToken}' },
        status: 400,
        response: refused(400, 'The invitation has been used'),
      },
      {
        title: 'is not sent the invitation again',
        operation: `POST ${invitation}/resend`,
        as: 'admin',
        status: 400,
        response: refused(400, 'The invitation has been used'),
      },
      {
        title: 'used the invitation up',
        operation: `GET ${invitation}`,
        as: 'admin',
        status: 200,
        responses: {
          A: { invitation: { ...KNOWN, status: 'done', statusCategory: 'grey' } },
          B: { invitation: { ...KNOWN, status: 'accepted' } },
        },
      },
      {
        title: 'leaves no invitation to take',
        operation: `GET ${invitation}/check`,
        as: 'admin',
        status: 200,
        response: { available: false },
      },
      {
        title: 'has a first contact with all groups',
        operation: 'GET /organisations/{organisationId}/users/{userId}/contacts',
        as: 'admin',
        status: 200,
        response: {
          contacts: [
            {
              id: '<id>',
              type: 'email',
              name: 'qa-{unique}@{mailDomain}',
              preferences: ['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'].map((name) => ({
                name,
                value: true,
              })),
            },
          ],
        },
      },
    ],
  },
];
