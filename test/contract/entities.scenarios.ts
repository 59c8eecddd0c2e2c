import { type Example, type Scenario, example, scenario } from '../../tools/qa/scenario';
import { invalid, refused } from './responses';

const authorizedKeys = '/entities/systems/{entityId}/authorizedkeys';

/** The register of entities, which other areas of the panel keep. */
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
];
