import type { Example, Scenario } from '../../qa/scenario';
import { invalid, refused } from './responses';

/** The register of entities, which other areas of the panel keep. */
export const ENTITY_SCENARIOS: readonly Scenario[] = [
  {
    area: 'entities',
    title: 'the register is kept up to date',
    examples: ['apps', 'domains', 'mailgroups', 'systems'].flatMap((kind): Example[] => [
      {
        title: 'needs name and organisation',
        operation: `PUT /entities/${kind}/{entityId}`,
        with: { entityId: 2147480001 },
        as: 'admin',
        body: {},
        status: 400,
        response: invalid({ name: ['REQUIRED'], organisationId: ['REQUIRED'] }),
      },
      {
        title: 'takes an entity in',
        operation: `PUT /entities/${kind}/{entityId}`,
        with: { entityId: 2147480001 },
        as: 'admin',
        body: { name: 'QA {unique}', organisationId: '{organisationId}' },
        status: 204,
      },
      {
        title: 'takes it out',
        operation: `DELETE /entities/${kind}/{entityId}`,
        with: { entityId: 2147480001 },
        as: 'admin',
        status: 204,
      },
      {
        title: 'has it no more',
        operation: `DELETE /entities/${kind}/{entityId}`,
        with: { entityId: 2147480001 },
        as: 'admin',
        status: 404,
        response: refused(404, 'Entity not found'),
      },
    ]),
  },
];
