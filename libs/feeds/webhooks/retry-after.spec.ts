import { secondsAskedFor } from './retry-after';

const NOW = Date.parse('2026-03-01T12:00:00Z');

// rule events 34
it.each([
  [429, '3600', 3600],
  [503, ' 120 ', 120],
  [429, 'Sun, 01 Mar 2026 12:10:00 GMT', 600],
  [429, 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
  [503, '99999999999999999999', 86_400],
  [503, 'Sun, 01 Mar 2099 12:00:00 GMT', 86_400],
  [429, '-5', 0],
  [429, 'soon', 0],
  [429, undefined, 0],
  [500, '3600', 0],
])('an answer %i with Retry-After %s asks for %i seconds', (status, header, seconds) => {
  expect(secondsAskedFor(status, header, NOW)).toBe(seconds);
});
