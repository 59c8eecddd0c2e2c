import { isNamed, namesTag, readIfMatch } from './entity-tags';

describe('If-Match', () => {
  it.each([
    [undefined, undefined],
    ['*', '*'],
    [' * ', '*'],
    ['"3"', ['3']],
    ['"3", "4"', ['3', '4']],
    ['"3","4" ,, "5",', ['3', '4', '5']],
    [',"3"', ['3']],
    ['"a,b"', ['a,b']],
    ['""', ['']],
    ['"ÿ"', ['ÿ']],
    ['W/"3"', ['3']],
    ['W/"3", "4"', ['3', '4']],
    ['W/"3-gzip"', ['3-gzip']],
  ])('%j names %j', (header, tags) => {
    expect(readIfMatch(header)).toEqual(tags);
  });

  it.each(['', ' ', ',', '3', '"3', '3"', '"3" "4"', '"3" 4', 'w/"3"', 'W/3', '*, "3"', '"3", *', '"a\tb"'])(
    '%j is refused',
    (header) => {
      expect(() => readIfMatch(header)).toThrow(/in its quotes/);
    },
  );

  it('is read in time that grows with its length alone', () => {
    const begun = performance.now();
    for (const filling of [' '.repeat(16_000), '"'.repeat(16_000), ','.repeat(16_000), 'W/'.repeat(8000)]) {
      expect(() => readIfMatch(`"3",${filling}x`)).toThrow();
    }
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});

describe('the tags of a request', () => {
  it.each([
    ['3', '3'],
    ['3-gzip', '3'],
    ['3-GZIP', '3'],
    ['3-br', '3'],
    ['3-zstd', '3'],
    ['3-deflate', '3'],
    ['3--gzip', '3'],
    ['3;gzip', '3'],
    ['3;br', '3'],
    ['3;gz;;;', '3'],
    ['3-expired-gzip', '3-expired'],
  ])('%j names %j', (sent, tag) => {
    expect(namesTag(['x', sent], tag)).toBe(true);
  });

  it.each([
    ['4', '3'],
    ['33', '3'],
    ['3-', '3'],
    ['3-4', '3'],
    ['3-expired', '3'],
    ['3', '3-expired'],
    ['3-gzip', '3-expired'],
    ['3gzip', '3'],
    ['3-gzip-x', '3'],
    ['3-gzip-br', '3'],
    ['-gzip', '3'],
    ['', '3'],
  ])('%j does not name %j', (sent, tag) => {
    expect(namesTag([sent], tag)).toBe(false);
  });
});

describe('If-None-Match', () => {
  it.each(['*', '"3"', 'W/"3"', '"2", "3"', '"2",W/"3"', 'W/"3-gzip"', '"3;gzip"'])(
    '%j names the tag 3',
    (header) => {
      expect(isNamed(header, '3')).toBe(true);
    },
  );

  it.each([undefined, '', '"2"', '3', '"3', '"3" "2"', '"33"'])('%j does not', (header) => {
    expect(isNamed(header, '3')).toBe(false);
  });
});
