import { grantRecord, invalid, refused, roleRequired, teamRecord } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const grants = '/organisations/{organisationId}/grants';
const grant = `${grants}/{grantId}`;
const team = `${grant}/teams/{teamId}`;
const RECEIVER = { with: { organisationId: '{adminOrganisationId}' } };

const GRANT = { dtExpires: '{tomorrow}' } as const;

/** Grants, which an organisation gives to its agency. */
export const GRANT_SCENARIOS: readonly Scenario[] = [
  scenario('grants', 'an organisation lets another one manage it', { needs: ['person'] }, [
    example(
      'says to whom, and for what',
      ['admin', `POST ${grants}`, { access: 'write', expires: 'soon' }],
      [
        400,
        invalid({ organisation: ['REQUIRED'], access: ['NOT_A_CHOICE'], expires: ['INVALID_TIMESTAMP'] }),
      ],
    ),
    example(
      'is for another organisation',
      ['admin', `POST ${grants}`, { organisation: '{organisationId}' }],
      [400, invalid({ organisation: ['ITSELF'] })],
    ),
    example(
      'is for one that is there',
      ['admin', `POST ${grants}`, { organisation: 2147483647 }],
      [400, invalid({ organisation: ['DOES_NOT_EXIST'] })],
    ),
    example(
      'ends later than now',
      ['admin', `POST ${grants}`, { organisation: '{adminOrganisationId}', expires: '1' }],
      [400, invalid({ expires: ['TOO_SMALL'] })],
    ),
    example(
      'is for managers to give',
      ['person', `POST ${grants}`, { organisation: '{adminOrganisationId}' }],
      [500, roleRequired],
    ),
    example(
      'is given',
      [
        'admin',
        `POST ${grants}`,
        { organisation: '{adminOrganisationId}', access: 'manage', expires: '{tomorrow}' },
      ],
      [201, { grant: grantRecord({ ...GRANT, id: '<id> as grantId' }) }],
    ),
    example(
      'is given once',
      ['admin', `POST ${grants}`, { organisation: '{adminOrganisationId}' }],
      [400, invalid({ organisation: ['ALREADY_TAKEN'] })],
    ),
    example(
      'stands in the list',
      ['admin', `GET ${grants}`],
      [200, { total: 1, grants: [grantRecord(GRANT)] }],
      {
        query: 'direction=given',
      },
    ),
    example('is not among the received ones', ['admin', `GET ${grants}`], [200, { total: 0, grants: [] }], {
      query: 'direction=received',
    }),
    example(
      'knows two directions',
      ['admin', `GET ${grants}`],
      [400, invalid({ direction: ['NOT_A_CHOICE'] })],
      { query: 'direction=both' },
    ),
    example('is read', ['admin', `GET ${grant}`], [200, { grant: grantRecord(GRANT) }]),
    example('ends no more by itself', ['admin', `PUT ${grant}`, { expires: '' }], [204]),
    example('is changed', ['admin', `PUT ${grant}`, { access: 'read' }], [204]),
    example(
      'is as it was told',
      ['admin', `GET ${grant}`],
      [200, { grant: grantRecord({ access: 'read' }) }],
    ),
    example(
      'has no third kind',
      ['admin', `PUT ${grant}`, { access: 'write', expires: '0' }],
      [400, invalid({ access: ['NOT_A_CHOICE'] })],
    ),
    example(
      'is used by a team of the one that receives',
      ['admin', 'POST /organisations/{organisationId}/teams', { name: 'QA {unique} agency' }],
      [201, { team: teamRecord({ id: '<id> as teamId', name: 'QA {unique} agency', autoAddSshkey: false }) }],
      RECEIVER,
    ),
    example('takes no team on the side that gives', ['admin', `PUT ${team}`], [404, refused(404)]),
    example('takes the team', ['admin', `PUT ${team}`], [204], RECEIVER),
    example('takes it again', ['admin', `PUT ${team}`], [204], RECEIVER),
    example(
      'is for its team from now on',
      ['admin', `GET ${grant}`],
      [
        200,
        {
          grant: grantRecord({
            access: 'read',
            onlyTeams: true,
            teams: [{ id: '{teamId}', name: 'QA {unique} agency' }],
          }),
        },
      ],
    ),
    example('loses the team', ['admin', `DELETE ${team}`], [204], RECEIVER),
    example('loses it once', ['admin', `DELETE ${team}`], [404, refused(404)], RECEIVER),
    example(
      'stays for teams',
      ['admin', `GET ${grant}`],
      [200, { grant: grantRecord({ access: 'read', onlyTeams: true }) }],
    ),
    example(
      'leaves the team',
      ['admin', 'DELETE /organisations/{organisationId}/teams/{teamId}'],
      [204],
      RECEIVER,
    ),
    example('is ended', ['admin', `DELETE ${grant}`], [204]),
    example('is gone', ['admin', `GET ${grant}`], [404, refused(404, 'Grant not found')]),
  ]),
];
