import type { Scenario } from '../../qa/scenario';
import { invalid, refused } from './responses';

const teams = '/organisations/{organisationId}/teams';
const team = `${teams}/{teamId}`;
const EMPTY = {
  id: '{teamId}',
  name: 'Web {unique}',
  adminOnly: false,
  autoAddSshkey: true,
  users: [],
  entities: [],
  teamEntities: { apps: [], domains: [], mailgroups: [], systems: [] },
} as const;

const objects: Readonly<Record<string, readonly [string, string]>> = {
  apps: ['app', '{appId}'],
  domains: ['domain', '{domainId}'],
  mailgroups: ['mailgroup', '{mailgroupId}'],
  systems: ['system', '{systemId}'],
};

const created = {
  title: 'is created',
  operation: `POST ${teams}`,
  as: 'admin',
  body: { name: 'Web {unique}', autoAddSshkey: true },
  status: 201,
  response: { team: { ...EMPTY, id: '<id> as teamId' } },
} as const;

/** Teams with their members and entities. */
export const TEAM_SCENARIOS: readonly Scenario[] = [
  {
    area: 'teams',
    title: 'a team is kept',
    examples: [
      {
        title: 'needs a name',
        operation: `POST ${teams}`,
        as: 'admin',
        body: { autoAddSshkey: 'perhaps' },
        status: 400,
        response: invalid({ name: ['REQUIRED'], autoAddSshkey: ['WRONG_TYPE'] }),
      },
      created,
      { title: 'is read', operation: `GET ${team}`, as: 'admin', status: 200, response: { team: EMPTY } },
      {
        title: 'is changed',
        operation: `PUT ${team}`,
        as: 'admin',
        body: { name: 'Mail {unique}', autoAddSshkey: false },
        status: 204,
      },
      {
        title: 'stands in the list',
        operation: `GET ${teams}`,
        query: 'filter={unique}',
        as: 'admin',
        status: 200,
        response: { teams: [{ ...EMPTY, name: 'Mail {unique}', autoAddSshkey: false }] },
      },
      {
        title: 'knows nobody who is not in it',
        operation: `DELETE ${team}/users/{userId}`,
        with: { userId: 2147483647 },
        as: 'admin',
        status: 404,
        response: refused(404, 'User not found'),
      },
      ...Object.keys(objects).map((kind) => ({
        title: 'takes what the organisation reaches, and nothing else',
        operation: `POST ${team}/${kind}`,
        as: 'admin',
        body: { objectId: 2147483647 },
        status: 400,
        response: invalid({ objectId: ['DOES_NOT_EXIST'] }),
      })),
      ...Object.keys(objects).map((kind) => ({
        title: 'gives back only what it has',
        operation: `DELETE ${team}/${kind}/{objectId}`,
        with: { objectId: 2147483647 },
        as: 'admin',
        status: 404,
        response: refused(404, 'Team entity not found'),
      })),
      { title: 'is deleted', operation: `DELETE ${team}`, as: 'admin', status: 204 },
      {
        title: 'is gone',
        operation: `GET ${team}`,
        as: 'admin',
        status: 404,
        response: refused(404, 'Team not found'),
      },
    ],
  },
  {
    area: 'teams',
    title: 'a team has members',
    needs: ['person'],
    examples: [
      created,
      { title: 'takes a user', operation: `PUT ${team}/users/{userId}`, as: 'admin', status: 204 },
      {
        title: 'shows its members',
        operation: `GET ${team}`,
        as: 'person',
        status: 200,
        response: {
          team: {
            ...EMPTY,
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
          },
        },
      },
      { title: 'lets a user go', operation: `DELETE ${team}/users/{userId}`, as: 'admin', status: 204 },
    ],
  },
  {
    area: 'teams',
    title: 'a team works on entities',
    examples: [
      created,
      ...Object.entries(objects).map(([kind, [object, objectId]]) => ({
        title: 'takes an entity of the organisation',
        operation: `POST ${team}/${kind}`,
        as: 'admin',
        body: { objectId },
        status: 201,
        response: { entity: { id: '<id>', object, objectId } },
      })),
      {
        title: 'shows them',
        operation: `GET ${team}`,
        as: 'admin',
        status: 200,
        response: {
          team: {
            ...EMPTY,
            entities: Object.values(objects).map(([object, objectId]) => ({ objectId, object })),
            teamEntities: {
              apps: [{ id: '{appId}', name: 'shop' }],
              domains: [{ id: '{domainId}', fullname: 'example.nl' }],
              mailgroups: [
                {
                  id: '{mailgroupId}',
                  name: 'post',
                  domains: [
                    {
                      id: '{domainId}',
                      name: 'example',
                      mailPrimary: true,
                      domaintype: { id: 1, name: 'Netherlands', extension: 'nl' },
                    },
                  ],
                },
              ],
              systems: [{ id: '{systemId}', name: 'web1' }],
            },
          },
        },
      },
      ...Object.entries(objects).map(([kind, [, objectId]]) => ({
        title: 'gives an entity back',
        operation: `DELETE ${team}/${kind}/{objectId}`,
        with: { objectId },
        as: 'admin',
        status: 204,
      })),
    ],
  },
];
