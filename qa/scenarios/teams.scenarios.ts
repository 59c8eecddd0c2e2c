import { invalid, mailDomain, refused, teamRecord } from '../responses';
import { example, type Json, type Scenario, scenario } from '../scenario';

const teams = '/organisations/{organisationId}/teams';
const team = `${teams}/{teamId}`;

const objects: Readonly<Record<string, readonly [string, string]>> = {
  apps: ['app', '{appId}'],
  domains: ['domain', '{domainId}'],
  mailgroups: ['mailgroup', '{mailgroupId}'],
  systems: ['system', '{systemId}'],
};

const CHANGED_MEANWHILE: Json = { ...(refused(412) as object), reason: 'CHANGED_MEANWHILE' };

const created = example(
  'is created',
  ['admin', `POST ${teams}`, { name: 'Web {unique}', autoAddSshkey: true }],
  [201, { team: teamRecord({ id: '<id> as teamId' }) }],
);

/** Teams with their members and entities. */
export const TEAM_SCENARIOS: readonly Scenario[] = [
  scenario('teams', 'a team is kept', {}, [
    example(
      'needs a name',
      ['admin', `POST ${teams}`, { autoAddSshkey: 'perhaps' }],
      [400, invalid({ name: ['REQUIRED'], autoAddSshkey: ['WRONG_TYPE'] })],
    ),
    example(
      'has a name of a bounded length',
      ['admin', `POST ${teams}`, { name: 'x'.repeat(256) }],
      [400, invalid({ name: ['TOO_LONG'] })],
    ),
    example(
      'has a name that leaves the direction of text as it is',
      ['admin', `POST ${teams}`, { name: 'a\u202eb' }],
      [400, invalid({ name: ['FORBIDDEN_CHARACTER'] })],
    ),
    created,
    example('is read', ['admin', `GET ${team}`], [200, { team: teamRecord() }]),
    example('is renamed alone', ['admin', `PUT ${team}`, { name: 'WEB {unique}' }], [204]),
    example(
      'shows the name',
      ['admin', `GET ${team}`],
      [200, { team: teamRecord({ name: 'WEB {unique}' }) }],
    ),
    example('has a state with a name', ['admin', `GET ${team}`], [304], {
      headers: { 'If-None-Match': '"2"' },
    }),
    example(
      'is changed only in the state that was read',
      ['admin', `PUT ${team}`, { name: 'Shop {unique}' }],
      [412, CHANGED_MEANWHILE],
      { headers: { 'If-Match': '"1"' } },
    ),
    example(
      'is deleted only in the state that was read',
      ['admin', `DELETE ${team}`],
      [412, CHANGED_MEANWHILE],
      { headers: { 'If-Match': '"1", W/"1-gzip"' } },
    ),
    example(
      'takes no name of a state without quotes',
      ['admin', `PUT ${team}`, { name: 'Shop {unique}' }],
      [400, refused(400)],
      { headers: { 'If-Match': '2' } },
    ),
    example(
      'is changed in the state that was read, named as a proxy that compresses hands it over',
      ['admin', `PUT ${team}`, { name: 'Shop {unique}' }],
      [204],
      { headers: { 'If-Match': 'W/"2-gzip"' } },
    ),
    example('is changed', ['admin', `PUT ${team}`, { name: 'Mail {unique}', autoAddSshkey: false }], [204]),
    example(
      'stands in the list',
      ['admin', `GET ${teams}`],
      [200, { teams: [teamRecord({ name: 'Mail {unique}', autoAddSshkey: false })] }],
      { query: 'filter={unique}' },
    ),
    example(
      'knows nobody who is not in it',
      ['admin', `DELETE ${team}/users/{userId}`],
      [404, refused(404, 'User not found')],
      { with: { userId: 2147483647 } },
    ),
    ...Object.keys(objects).map((kind) =>
      example(
        'takes what the organisation reaches, and nothing else',
        ['admin', `POST ${team}/${kind}`, { objectId: 2147483647 }],
        [400, invalid({ objectId: ['DOES_NOT_EXIST'] })],
      ),
    ),
    ...Object.keys(objects).map((kind) =>
      example(
        'gives back only what it has',
        ['admin', `DELETE ${team}/${kind}/{objectId}`],
        [404, refused(404, 'Team entity not found')],
        { with: { objectId: 2147483647 } },
      ),
    ),
    example('is deleted', ['admin', `DELETE ${team}`], [204]),
    example('is gone', ['admin', `GET ${team}`], [404, refused(404, 'Team not found')]),
  ]),
  scenario('teams', 'a team has members', { needs: ['person'] }, [
    created,
    example('takes a user', ['admin', `PUT ${team}/users/{userId}`], [204]),
    example(
      'shows its members',
      ['person', `GET ${team}`],
      [
        200,
        {
          team: teamRecord({
            users: [
              {
                id: '{userId}',
                username: '{username}',
                firstName: 'Anna',
                lastName: 'de Boer',
                roles: [],
                status: 'ok',
                teamStatus: 'ok',
                userHasTeamId: '<id>',
              },
            ],
          }),
        },
      ],
    ),
    example('lets a user go', ['admin', `DELETE ${team}/users/{userId}`], [204]),
  ]),
  scenario('teams', 'a team works on entities', {}, [
    created,
    ...Object.entries(objects).map(([kind, [object, objectId]]) =>
      example(
        'takes an entity of the organisation',
        ['admin', `POST ${team}/${kind}`, { objectId }],
        [201, { entity: { id: '<id>', object, objectId } }],
      ),
    ),
    example(
      'shows them',
      ['admin', `GET ${team}`],
      [
        200,
        {
          team: teamRecord({
            entities: Object.values(objects).map(([object, objectId]) => ({ objectId, object })),
            teamEntities: {
              apps: [{ id: '{appId}', name: 'shop' }],
              domains: [{ id: '{domainId}', fullname: 'example.nl' }],
              mailgroups: [
                {
                  id: '{mailgroupId}',
                  name: 'post',
                  domains: [mailDomain()],
                },
              ],
              systems: [{ id: '{systemId}', name: 'web1' }],
            },
          }),
        },
      ],
    ),
    ...Object.entries(objects).map(([kind, [, objectId]]) =>
      example('gives an entity back', ['admin', `DELETE ${team}/${kind}/{objectId}`], [204], {
        with: { objectId },
      }),
    ),
  ]),
];
