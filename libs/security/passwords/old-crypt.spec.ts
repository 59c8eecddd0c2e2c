import { oldCryptDigest, parseCryptHash } from './crypt-hash';
import { HashingThreads } from './hashing-threads';

/**
 * Made with glibc's crypt(3) and, in the last rows, `openssl passwd`; "Hello world!" rows of `$5$` and `$6$`
 * are those published with the specification of SHA-crypt. The lengths lie around the block and digest sizes.
 */
const VECTORS: [password: string, hash: string][] = [
  ['', '$1$saltstri$ciR2otLVXV8I9sOPWbLTc1'],
  ['Hello world!', '$1$saltstri$YMyguxXMBpd2TEZ.vS/3q1'],
  ['b'.repeat(16), '$1$x$cfo8rwIT1iV0VeiCro/dx.'],
  ['c'.repeat(31), '$1$x$ZPXnEDwZKqMMjbnBPD7ix/'],
  ['i'.repeat(72), '$1$saltstri$ivMWYx7CDZGX2VBn5qUQr0'],
  ['', '$5$saltstring$FdNfA4gXqvCeO6iZs7G/.wwwoywYZqo0l1pwmfWaBA7'],
  ['Hello world!', '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'],
  ['Hello world!', '$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA'],
  ['d'.repeat(32), '$5$saltstring$iIigU.Zp03xMNAAC0TrlHIQTTpfm5eKCMNUMzHJb233'],
  ['e'.repeat(33), '$5$saltstring$s0YJZLK3EoJ9B9la1BFYFQr67bLSDYe8LXmPEg9M0i0'],
  ['g'.repeat(64), '$5$saltstring$GzBBNMFEK.FGcX4xBQIlKOiKatK6R.CSbunyfqxN5N0'],
  ['i'.repeat(72), '$5$rounds=1000$ab$7yVCYJZlu0nL.ZPUgJbEDebbrm4tifaXnKkFiT17byA'],
  [
    'Hello world!',
    '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  ],
  [
    'Hello world!',
    '$6$rounds=77777$short$fAcEHgO6o21rSt1lqI8a7KCuvcwcIb0rZEkfuCqxcQy3nmhFH64SF1VuIpnGOTo7/l5kUqrxyVoxZWtv7ywdg/',
  ],
  [
    'f'.repeat(63),
    '$6$saltstring$oj6B.pNR.S0rBLDjTPXywwNkrTj2533hReMrmu57j6NyEwi2qtcfkbRXv1LGu4EIbvFEYSBKrgCRHNZ3MCbaZ1',
  ],
  [
    'g'.repeat(64),
    '$6$saltstring$SiUEY36atm5spvKEhNAsL9ixGkXWbynR34PdI2FEp7rQ1thkpA6kGcTt0o34AekAT9baLuE0rtrJFm.NG3H6/1',
  ],
  [
    'h'.repeat(65),
    '$6$saltstring$alCg0CN8Cqz8M84MKEb/E3mfRW.NBw4wdIjEqlSct98/c279pJX7ezwcmyWCQrl.vVdARrq26DVY7GjQl7Q2s/',
  ],
  [
    'i'.repeat(72),
    '$6$rounds=1000$./Az09$LtB5LPtoJzEDChpBf2AW5Da9JHfZ5BR2w.ME1Os/5h6A.mndNcorpXvPmcLld5rSoQr3gEE.UVMklffJ1BRcP.',
  ],
  ['pássŵörd €😀', '$1$unicode$CCRdsG4AjzZx895aPduGc/'],
  ['pássŵörd €😀', '$5$unicode$Dh1U2KT5tCyNWzxSJtUHyuhoH3xa4OrYWFwv32uDGn7'],
  [
    'pássŵörd €😀',
    '$6$unicode$Fgd1RzuJ/jDL6D3wNE/FlVQ204PxylXjqW97i.nlHG0KeJChdGv5.z/AhCyxXKXHx73aIMnSNo9Bia3sp5QEc.',
  ],
];

const threads = new HashingThreads();
afterAll(() => threads.close());

async function digestUnder(hash: string, password: string): Promise<string> {
  const parsed = parseCryptHash(hash);
  if (!parsed || parsed.scheme === 'bcrypt') throw new Error(`not an old hash: ${hash}`);
  return oldCryptDigest(password, parsed, (input) => threads.run('cryptRounds', input));
}

describe('oldCryptDigest', () => {
  it.each(VECTORS)('of %p gives %s', async (password, hash) => {
    expect(await digestUnder(hash, password)).toBe(hash.split('$').at(-1));
  });
});
