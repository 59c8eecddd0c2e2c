import { secondsLeft } from './brownouts';

const brownout = (start: string, end: string) => ({ start: new Date(start), end: new Date(end) });
const at = (time: string): number => new Date(time).getTime();

const BROWNOUTS = [
  brownout('2027-03-01T10:00:00Z', '2027-03-01T10:15:00Z'),
  brownout('2027-03-01T10:10:00Z', '2027-03-01T10:30:00Z'),
];

it.each([
  ['2027-03-01T09:59:59.999Z', undefined],
  ['2027-03-01T10:00:00Z', 900],
  ['2027-03-01T10:09:59.001Z', 301],
  ['2027-03-01T10:10:00Z', 1200],
  ['2027-03-01T10:29:59.999Z', 1],
  ['2027-03-01T10:30:00Z', undefined],
])('at %s it ends in %s seconds', (time, seconds) => {
  expect(secondsLeft(BROWNOUTS, at(time))).toBe(seconds);
});

it('there is none without the setting', () => {
  expect(secondsLeft([], at('2027-03-01T10:00:00Z'))).toBeUndefined();
});
