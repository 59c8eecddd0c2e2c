import 'reflect-metadata';
import { refuses } from '../../../test/support/faults/wrong-values';
import { AuthzenShapes } from './authzen.shapes';

/** AuthZEN counts null and blank text as missing. */
const NOTHING = [undefined, null, '', ' \t'];
const NO_TYPE = [...NOTHING, 'alice', {}, { id: '1' }, { type: ' ', id: '1' }];
const subject = { type: 'user', id: '7' };
const NO_ENTITY = [
  ...NO_TYPE,
  [subject],
  { type: 'user' },
  { ...subject, id: 7 },
  { ...subject, properties: 'none' },
];
const NO_ACTION = [...NOTHING, {}, { name: 123 }];
const action = { name: 'organisations.read' };
const question = { subject, action, resource: { type: 'organisation', id: '8' } };
const authzen = new AuthzenShapes();
refuses(
  'a question',
  authzen.question,
  { ...question, context: ' ' },
  { subject: NO_ENTITY, action: NO_ACTION, resource: NO_ENTITY, context: ['now'] },
);
const batchOf = (length: number) => ({ ...question, evaluations: Array.from({ length }, () => ({})) });
refuses('a batch of questions', authzen.batch, batchOf(100), {
  subject: ['alice'],
  evaluations: [{}, batchOf(101).evaluations],
  options: ['all', { evaluations_semantic: 'first' }],
});
