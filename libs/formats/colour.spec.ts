import { contrastOf, mixed, readableWith } from './colour';

// What WCAG's formula gives, as its examples and tools say it.
it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
])('the contrast of %s with %s is %d', (one, other, contrast) => {
  expect(contrastOf(one, other)).toBeCloseTo(contrast, 1);
  expect(contrastOf(other, one)).toBe(contrastOf(one, other));
});

it('colours mix by shares', () => {
  expect([0, 0.5, 1].map((share) => mixed('#102030', '#ffffff', share))).toEqual([
    '#102030',
    '#889098',
    '#ffffff',
  ]);
});

it('a colour that is readable stays, another moves until it is', () => {
  expect(readableWith('#1a56a8', '#000000', '#ffffff')).toBe('#1a56a8');
  const moved = readableWith('#767676', '#000000', '#ffffff', '#f3f5f8');
  expect(contrastOf(moved, '#f3f5f8')).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(moved, '#f3f5f8')).toBeLessThan(5);
});
