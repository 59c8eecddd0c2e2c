import { invalid, mailDomain, organisationItem, refused } from '../responses';
import { type Example, example, type Scenario, scenario } from '../scenario';

const organisation = '/organisations/{organisationId}';
const authorizedKeys = '/entities/systems/{entityId}/authorizedkeys';

const NOTHING = { total: { apps: 0, domains: 0, mailgroups: 0, systems: 0 } } as const;
const owner = { organisationId: '{organisationId}', organisationName: '{organisationName}' } as const;

/** The register of entities, which other areas of the panel keep, and what an organisation has of it. */
export const ENTITY_SCENARIOS: readonly Scenario[] = [
  scenario(
    'entities',
    'the register is kept up to date',
    {},
    ['apps', 'domains', 'mailgroups', 'systems'].flatMap((kind): Example[] => [
      example(
        'needs name and organisation',
        ['admin', `PUT /entities/${kind}/{entityId}`, {}],
        [400, invalid({ name: ['REQUIRED'], organisationId: ['REQUIRED'] })],
        { with: { entityId: 2147480001 } },
      ),
      example(
        'takes an entity in',
        [
          'admin',
          `PUT /entities/${kind}/{entityId}`,
          { name: 'QA {unique}', organisationId: '{organisationId}' },
        ],
        [204],
        { with: { entityId: 2147480001 } },
      ),
      example('takes it out', ['admin', `DELETE /entities/${kind}/{entityId}`], [204], {
        with: { entityId: 2147480001 },
      }),
      example(
        'has it no more',
        ['admin', `DELETE /entities/${kind}/{entityId}`],
        [404, refused(404, 'Entity not found')],
        { with: { entityId: 2147480001 } },
      ),
    ]),
  ),
  scenario('entities', 'sshd asks who may log in to a system', {}, [
    example(
      'takes a system in',
      [
        'admin',
        'PUT /entities/systems/{entityId}',
        { name: 'QA {unique}', organisationId: '{organisationId}' },
      ],
      [204],
      { with: { entityId: 2147480002 } },
    ),
    example('lists the keys, of which there are none', ['admin', `GET ${authorizedKeys}`], [200], {
      with: { entityId: 2147480002 },
      text: '',
    }),
    example('takes it out', ['admin', 'DELETE /entities/systems/{entityId}'], [204], {
      with: { entityId: 2147480002 },
    }),
    example(
      'knows no other system',
      ['admin', `GET ${authorizedKeys}`],
      [404, refused(404, 'Entity not found')],
      {
        with: { entityId: 2147480002 },
      },
    ),
  ]),
  scenario('entities', 'an organisation without entities', {}, [
    example(
      'is made',
      ['admin', 'POST /organisations', { name: 'Bakkerij {unique}', taxNumber: 'NL-{unique}' }],
      [201],
      {
        responses: {
          A: { organisation: organisationItem.A({ id: '<id> as made' }) },
          B: { organisation: organisationItem.B({ id: '<id> as made' }) },
        },
      },
    ),
    example(
      'has an empty overview',
      ['admin', `GET ${organisation}/entities`],
      [200, { ...NOTHING, domains: [], systems: [], apps: [], mailgroups: [] }],
      { with: { organisationId: '{made}' } },
    ),
  ]),
  scenario('entities', 'an organisation with entities', {}, [
    example(
      'has an overview of them',
      ['admin', `GET ${organisation}/entities`],
      [
        200,
        {
          total: { apps: 1, domains: 1, mailgroups: 1, systems: 1 },
          domains: [{ id: '{domainId}', fullname: 'example.nl', ...owner }],
          systems: [{ id: '{systemId}', name: 'web1', ...owner }],
          apps: [{ id: '{appId}', name: 'shop', ...owner }],
          mailgroups: [
            {
              id: '{mailgroupId}',
              name: 'post',
              ...owner,
              domains: [mailDomain()],
            },
          ],
        },
      ],
    ),
  ]),
];
