import { OTHER_PROGRAM, Programs } from './program-of';

const programs = new Programs();

it.each([
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.31.0', 'python-requests'],
  ['Go-http-client/1.1', 'go-http-client'],
  ['node', 'node'],
  ['PanelSync/1.2 (by hand)', 'panelsync'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox'],
])('%s is %s', (userAgent, program) => {
  expect(programs.of(userAgent)).toBe(program);
});

it.each([[undefined], ['  '], ['Mozilla/5.0 (compatible)'], ['(nothing)']])('%s has no name', (userAgent) => {
  expect(programs.of(userAgent)).toBe(OTHER_PROGRAM);
});
