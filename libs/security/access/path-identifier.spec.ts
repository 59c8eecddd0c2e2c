import { pathIdentifier } from './path-identifier';

it.each([
  ['1', 1],
  ['42', 42],
  ['2147483647', 2_147_483_647],
])('reads %s', (text, id) => {
  expect(pathIdentifier(text)).toBe(id);
});

it.each([
  undefined,
  '',
  '0',
  '01',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '0x1',
  ' 1',
  '1 ',
  '1\n',
  '2147483648',
  '9999999999',
  '10000000000',
  'NaN',
  '１',
])('takes %j for nothing', (text) => {
  expect(pathIdentifier(text)).toBeNull();
});
