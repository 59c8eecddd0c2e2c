import { InvalidArgumentError } from 'commander';
import { pointInTime } from './command';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('a point in time', () => {
  it.each([
    ['90s', '2026-11-21T11:58:30.000Z'],
    ['15m', '2026-11-21T11:45:00.000Z'],
    ['24h', '2026-11-20T12:00:00.000Z'],
    ['7d', '2026-11-14T12:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T08:30', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01T08:30:15Z', '2026-03-01T08:30:15.000Z'],
    ['2026-03-01T08:30+02:00', '2026-03-01T06:30:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(pointInTime(text, NOW).toISOString()).toBe(expected);
  });

  it.each([
    '',
    '7',
    'd',
    '7w',
    '-1d',
    '1234567d',
    'yesterday',
    '2026-13-01',
    '21-11-2026',
    '2026-11-21 08:00',
  ])('%j is none', (text) => {
    expect(() => pointInTime(text, NOW)).toThrow(InvalidArgumentError);
  });
});
