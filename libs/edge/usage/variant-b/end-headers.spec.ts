import { endHeaders } from './end-headers';

const publicUrl = 'https://api.example';
const deprecated = new Date('2027-03-01');
const sunset = new Date('2027-06-30');

const DEPRECATION = { Deprecation: '@1803859200', Link: '<https://api.example/docs>; rel="deprecation"' };
const SUNSET = { Sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' };

it.each([
  [
    { deprecated, sunset },
    { ...DEPRECATION, ...SUNSET },
  ],
  [{ deprecated, sunset: undefined }, DEPRECATION],
  [{ deprecated: undefined, sunset }, SUNSET],
  [{ deprecated: undefined, sunset: undefined }, {}],
])('say the dates that are set: %j', (variantBEnd, headers) => {
  expect(endHeaders({ publicUrl, variantBEnd })).toEqual(headers);
});

it('hold what a header can hold, whatever the URL has', () => {
  const headersOf = (url: string) =>
    endHeaders({ publicUrl: url, variantBEnd: { deprecated, sunset } })['Link'];
  expect(headersOf('https://\u03b1pi.example/\u20ac>')).toBe(
    '<https://xn--pi-b9b.example/%E2%82%AC%3E/docs>; rel="deprecation"',
  );
});
