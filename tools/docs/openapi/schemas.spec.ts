import { ResponseField } from '@app/platform/dto/shapes';
import { schemasOf } from './schemas';

class Person {
  @ResponseField({ description: 'The name', example: 'Anna' }) name!: string;
}

class Team {
  @ResponseField({ type: 'integer', nullable: true }) size!: number | null;
  @ResponseField({ enum: ['open', 'closed'], required: false }) state?: 'open' | 'closed';
  @ResponseField({ type: ['string'], enum: ['read', 'manage'] }) rights!: string[];
  @ResponseField({ type: Person }) owner!: Person;
  @ResponseField({ type: Person, nullable: true, description: 'The deputy' }) deputy!: Person | null;
  @ResponseField({ type: [Person], description: 'Everybody' }) members!: Person[];
}

const PERSON = { $ref: '#/components/schemas/Person' };

it('writes a class as an object, and the classes that its fields hold beside it', () => {
  expect(schemasOf([Team])).toEqual({
    Team: {
      type: 'object',
      properties: {
        size: { type: ['integer', 'null'] },
        state: { type: 'string', enum: ['open', 'closed'] },
        rights: { type: 'array', items: { type: 'string', enum: ['read', 'manage'] } },
        owner: PERSON,
        deputy: { description: 'The deputy', anyOf: [PERSON, { type: 'null' }] },
        members: { description: 'Everybody', type: 'array', items: PERSON },
      },
      required: ['size', 'rights', 'owner', 'deputy', 'members'],
    },
    Person: {
      type: 'object',
      properties: { name: { type: 'string', description: 'The name', example: 'Anna' } },
      required: ['name'],
    },
  });
});

it('refuses two classes of one name', () => {
  const namesake = { Person: class {} }.Person;
  expect(() => schemasOf([Team, namesake])).toThrow('Two classes of the interface have the name Person');
});
