import { paceOf } from './pace';

describe('paceOf', () => {
  it.each([
    [{ rows: 0, share: 0, seconds: 0.5 }, ''],
    [{ rows: 500, share: 0.1, seconds: 1 }, ', 500 rows/s, 9 s left'],
    [{ rows: 60_000, share: 0.25, seconds: 60 }, ', 1000 rows/s, 3 min left'],
    [{ rows: 60_000, share: 1, seconds: 60 }, ', 1000 rows/s'],
  ])('says of %j %j', (done, text) => {
    expect(paceOf(done)).toBe(text);
  });
});
