import { isLoginName } from './user-names';

it.each(['a', 'Ann', '7', '104233', 'ann.bee', 'ann_bee-2', 'ann_', 'a'.repeat(180)])('accepts %s', (text) =>
  expect(isLoginName(text)).toBe(true),
);

it.each([
  '',
  '.',
  '-',
  '_ann',
  '.ann',
  'ann.',
  '-ann',
  'ann bee',
  ' ann',
  'ann\n',
  'ann@b.example',
  'ann@',
  'zoë',
  // Cyrillic "a", which looks like a Latin one.
  '\u0430nn',
  'ann\0',
  'a/b',
  'a'.repeat(181),
])('refuses %j', (text) => expect(isLoginName(text)).toBe(false));
