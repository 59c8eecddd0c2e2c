import {
  contactRecord,
  invalid,
  invitationRecord,
  preferences,
  refused,
  SHORT_PASSWORD,
  subOrganisation,
  userRecord,
} from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const invitations = '/organisations/{organisationId}/invitations';
const invitation = `${invitations}/{invitationId}`;
const MADE = { id: '<id> as invitationId' } as const;
const CHANGED = { firstName: 'Anne', fullname: 'Anne de Boer', language: 'fr' } as const;
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
const NAMED = { username: 'qa-{unique}@{mailDomain}', email: 'qa-{unique}@{mailDomain}' } as const;
const REGISTERED = { ...NAMED, id: '<id> as userId', roles: ['ROLE_MAIL', 'ROLE_APP'] } as const;

/** What the deprecated form does where `ALLOW_TOKENLESS_REGISTRATION=true` has it. */
export const TOKENLESS_SCENARIO: Scenario = scenario(
  'registration',
  'an invited person registers without a token',
  {},
  [
    example('is invited', ['admin', `POST ${invitations}`, body], [201], {
      responses: {
        A: { invitation: invitationRecord.A(MADE) },
        B: { invitation: invitationRecord.B(MADE) },
      },
    }),
    example(
      'becomes a user, in the deprecated form',
      ['nobody', 'POST /registerInvitation', registration],
      [201],
      {
        responses: {
          A: { user: userRecord.A({ ...NAMED, id: '<id>' }) },
          B: { user: userRecord.B({ ...NAMED, id: '<id>' }) },
        },
      },
    ),
    example('registers once', ['nobody', 'POST /registerInvitation', registration], [400, refused(400)]),
  ],
);

/** Invitations and what they are for: registration. */
export const INVITATION_SCENARIOS: readonly Scenario[] = [
  scenario('invitations', 'a person is invited', {}, [
    example(
      'needs e-mail and names',
      ['admin', `POST ${invitations}`, { email: 'no address' }],
      [400, invalid({ email: ['INVALID_EMAIL_ADDRESS'], firstName: ['REQUIRED'], lastName: ['REQUIRED'] })],
    ),
    example(
      'knows the roles that it gives, and names them beside other faults',
      ['admin', `POST ${invitations}`, { ...body, email: 'no address', autoRoles: 'ROLE_NOBODY' }],
      [400, invalid({ email: ['INVALID_EMAIL_ADDRESS'], autoRoles: ['DOES_NOT_EXIST'] })],
    ),
    example('is created', ['admin', `POST ${invitations}`, body], [201], {
      responses: {
        A: { invitation: invitationRecord.A(MADE) },
        B: { invitation: invitationRecord.B(MADE) },
      },
    }),
    example(
      'is open once for an address',
      ['admin', `POST ${invitations}`, body],
      [400, invalid({ email: ['ALREADY_INVITED'] })],
    ),
    example('stands in the list', ['admin', `GET ${invitations}`], [200], {
      query: 'filter={unique}',
      responses: {
        A: { invitations: [invitationRecord.A()] },
        B: { invitations: [invitationRecord.B()] },
      },
    }),
    example(
      'is changed',
      ['admin', `PUT ${invitation}`, { ...body, firstName: 'Anne', language: 'fr' }],
      [204],
    ),
    example('shows the change', ['admin', `GET ${invitation}`], [200], {
      responses: {
        A: { invitation: invitationRecord.A(CHANGED) },
        B: { invitation: invitationRecord.B(CHANGED) },
      },
    }),
    // STEP_UP asks for the proof where a role of it manages others.
    example('is sent again', ['admin', `POST ${invitation}/resend`, { password: '{password}' }], [200], {
      responses: {
        A: { invitation: invitationRecord.A(CHANGED) },
        B: { invitation: invitationRecord.B(CHANGED) },
      },
    }),
    example('is available', ['admin', `GET ${invitation}/check`], [200, { available: true }]),
    example(
      'counts as open',
      ['admin', 'GET /organisations/{organisationId}/organisations'],
      [
        200,
        {
          subOrganisations: [
            subOrganisation.A({
              id: '{organisation}',
              name: '{organisationName}',
              invitationCount: 1,
            }),
          ],
        },
      ],
      { only: 'A', with: { organisationId: 1 }, query: 'filter={organisationName}' },
    ),
    example('is withdrawn', ['admin', `DELETE ${invitation}`], [204]),
    example('is gone', ['admin', `GET ${invitation}`], [404, refused(404, 'Invitation not found')]),
    example(
      'cannot be checked any more',
      ['admin', `GET ${invitation}/check`],
      [404, refused(404, 'Invitation not found')],
    ),
  ]),
  scenario('registration', 'nobody registers', {}, [
    example(
      'does not know a token that never was',
      ['nobody', 'POST /registerInvitation/{token}', {}],
      [404, refused(404, 'Invitation not found')],
      { with: noToken },
    ),
    example(
      'shows nothing for a token that never was',
      ['nobody', 'GET /registerInvitation/{token}'],
      [404, refused(404, 'Invitation not found')],
      { with: noToken },
    ),
    example(
      'refuses what nobody was invited with, in the deprecated form',
      ['nobody', 'POST /registerInvitation', { ...registration, inviationId: 2147483647 }],
      [400, refused(400)],
    ),
  ]),
  scenario('registration', 'an invited person registers', { needs: ['mail'] }, [
    example(
      'is invited',
      ['admin', `POST ${invitations}`, { ...body, autoRoles: 'ROLE_MAIL,ROLE_APP' }],
      [201],
      {
        responses: {
          A: { invitation: invitationRecord.A({ ...MADE, email: '<words> as invited' }) },
          B: { invitation: invitationRecord.B({ ...MADE, email: '<words> as invited' }) },
        },
      },
    ),
    example('is shown what to register with', ['nobody', 'GET /registerInvitation/{token}'], [200], {
      with: { token: '{invitationToken}' },
      responses: {
        A: { invitation: { ...FORM, passwordRules: { ...RULES, minLength: 8, special: true } } },
        B: { invitation: { ...FORM, passwordRules: { ...RULES, minLength: 9, capital: true } } },
      },
    }),
    example(
      'must be who was invited',
      [
        'nobody',
        'POST /registerInvitation/{token}',
        { ...registration, email: 'other-{unique}@example.com' },
      ],
      [400, refused(400)],
      { with: { token: '{invitationToken}' } },
    ),
    example(
      'needs a password within the rules',
      ['nobody', 'POST /registerInvitation/{token}', { ...registration, password: 'short' }],
      [400],
      { with: { token: '{invitationToken}' }, responses: SHORT_PASSWORD },
    ),
    example(
      'becomes a user with the roles of the invitation',
      ['nobody', 'POST /registerInvitation/{token}', registration],
      [201],
      {
        with: { token: '{invitationToken}' },
        responses: {
          A: { user: userRecord.A(REGISTERED) },
          B: { user: userRecord.B(REGISTERED) },
        },
      },
    ),
    example(
      'registers once',
      ['nobody', 'POST /registerInvitation/{token}', registration],
      [400, refused(400)],
      { with: { token: '{invitationToken}' } },
    ),
    example(
      'is shown nothing any more',
      ['nobody', 'GET /registerInvitation/{token}'],
      [400, refused(400, 'The invitation has been used')],
      { with: { token: '{invitationToken}' } },
    ),
    example(
      'is not sent the invitation again',
      ['admin', `POST ${invitation}/resend`],
      [400, refused(400, 'The invitation has been used')],
    ),
    example('used the invitation up', ['admin', `GET ${invitation}`], [200], {
      responses: {
        A: { invitation: invitationRecord.A({ status: 'done', statusCategory: 'grey' }) },
        B: { invitation: invitationRecord.B({ status: 'accepted' }) },
      },
    }),
    example(
      'leaves no invitation to take',
      ['admin', `GET ${invitation}/check`],
      [200, { available: false }],
    ),
    example(
      'has a first contact with all groups',
      ['admin', 'GET /organisations/{organisationId}/users/{userId}/contacts'],
      [
        200,
        {
          contacts: [
            contactRecord({
              id: '<id>',
              name: 'qa-{unique}@{mailDomain}',
              preferences: preferences('System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'),
            }),
          ],
        },
      ],
    ),
  ]),
];
