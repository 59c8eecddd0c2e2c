import { SharedParts } from './shared-parts';

it('keeps a part once and refuses a second part of the same name', () => {
  const shared = new SharedParts();
  const limit = { name: 'limit', in: 'query' };
  expect(shared.refer('parameters', 'limit', limit)).toEqual({ $ref: '#/components/parameters/limit' });
  shared.refer('parameters', 'limit', { ...limit });
  shared.refer('examples', 'limit', { value: 1 });
  expect(shared.components).toMatchObject({ parameters: { limit }, examples: { limit: { value: 1 } } });
  expect(() => shared.refer('parameters', 'limit', { ...limit, in: 'header' })).toThrow(
    'Two parameters have the name limit',
  );
});
