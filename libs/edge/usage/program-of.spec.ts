import { OTHER_PROGRAM, Programs } from './program-of';

const programs = new Programs();

it.each([
  ['curl/8.5.0', 'curl'],
  ['node-superagent/10.2.3', 'node-superagent'],
  ['axios/1.7.2', 'axios'],
  ['python-requests/2.31.0', 'python-requests'],
  ['Go-http-client/1.1', 'go-http-client'],
  ['node', 'node'],
  ['level27_lvl/1.7.0', 'level27_lvl'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox'],
])('%s is %s, with and without a credential', (userAgent, program) => {
  expect([programs.of(userAgent, true), programs.of(userAgent, false)]).toEqual([program, program]);
});

it('names other products only with a credential', () => {
  expect(programs.of('PanelSync/1.2', true)).toBe('panelsync');
  expect(programs.of('PanelSync/1.2', false)).toBe(OTHER_PROGRAM);
});

it.each([[undefined], ['  '], ['Mozilla/5.0 (compatible)'], ['(nothing)']])('%s has no name', (userAgent) => {
  expect(programs.of(userAgent, true)).toBe(OTHER_PROGRAM);
});
