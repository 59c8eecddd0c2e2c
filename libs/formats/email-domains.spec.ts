import { isPlainEmailAddress } from '@app/formats/email-address';
import { addressForPeople, inOwnLetters, searchedForms, withAsciiDomain } from './email-domains';

it.each([
  ['jan@m\u00fcnchen.example', 'jan@xn--mnchen-3ya.example'],
  ['jan@mu\u0308nchen.example', 'jan@xn--mnchen-3ya.example'],
  ['Jan@M\u00dcNCHEN.Example', 'Jan@xn--mnchen-3ya.example'],
  ['jan@mail.m\u00fcnchen.example', 'jan@mail.xn--mnchen-3ya.example'],
  ['jan@stra\u00dfe.example', 'jan@xn--strae-oqa.example'],
  ['jan@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444', 'jan@xn--e1afmkfd.xn--p1ai'],
  ['jan@m\u00fcnchen\u3002example', 'jan@xn--mnchen-3ya.example'],
  ['jan@example\uff0ecom', 'jan@example.com'],
  ['jan@\uff45xample.com', 'jan@example.com'],
  ['jan@exam\u00adple.com', 'jan@example.com'],
  ['jan@\u{1f600}.example', 'jan@xn--e28h.example'],
  ['jan@b\u00fccher.xn--p1ai', 'jan@xn--bcher-kva.xn--p1ai'],
])('%s becomes %s', (sent, stored) => {
  expect(withAsciiDomain(sent)).toBe(stored);
  expect(isPlainEmailAddress(stored)).toBe(true);
});

it.each([
  'Jan@Example.COM',
  'jan@XN--MNCHEN-3YA.example',
  'jan@xn--a.example',
  'jan@localhost',
  'jan',
  'm\u00fcnchen.example',
  'zo\u00eb@example.com',
  '',
])('%s has no domain beyond ASCII and stays', (sent) => expect(withAsciiDomain(sent)).toBe(sent));

it.each([
  ['a host with a path', 'jan@m\u00fcnchen.example/x'],
  ['a backslash', 'jan@m\u00fcnchen.example\\x'],
  ['a query', 'jan@m\u00fcnchen.example?x'],
  ['a fragment', 'jan@m\u00fcnchen.example#x'],
  ['a port', 'jan@m\u00fcnchen.example:25'],
  ['a tab', 'jan@m\u00fcn\tchen.example'],
  ['a line break', 'jan@m\u00fcnchen.example\nBcc: x'],
  ['a blank', 'jan@m\u00fcn chen.example'],
  ['a percent sign', 'jan@m%C3%BCnchen.\u00e9.example'],
  ['a full-width percent sign', 'jan@m\uff05c3.example'],
  ['a full-width slash', 'jan@m\u00fcnchen.example\uff0fx'],
  ['a full-width @', 'jan@m\u00fcnchen\uff20x.example'],
  ['an IPv4 address', 'jan@\uff11\uff12\uff17.0.0.1'],
  ['an IPv4 address in one number', 'jan@\uff12130706433'],
  ['a hexadecimal end', 'jan@\u00e9.\uff10x7f'],
  ['nothing that counts', 'jan@\u00ad'],
  ['an empty label', 'jan@\u00e9..example'],
  ['an empty first label', 'jan@.\u00e9.example'],
  ['an end in a full stop', 'jan@\u00e9.example\u3002'],
  ['no top level', 'jan@\u00e9'],
  ['a joiner out of its place', 'jan@a\u200db.example'],
  ['a mark at the start', 'jan@\u0301a.example'],
  ['a broken Punycode label', 'jan@xn--a.b\u00fccher.example'],
  ['an underscore', 'jan@\u00e9_x.a_b'],
  ['a label of 64', `jan@\u00e9.${'a'.repeat(64)}.example`],
  ['a label that grows beyond 63', `jan@${'\u4e00\u9fff'.repeat(30)}.example`],
  ['a domain beyond 253', `jan@${'\u00e9.'.repeat(130)}example`],
  ['a lone surrogate', 'jan@\ud800.example'],
])('%s is no address', (_what, sent) => expect(isPlainEmailAddress(withAsciiDomain(sent))).toBe(false));

it.each([
  ['jan@xn--mnchen-3ya.example', 'jan@m\u00fcnchen.example (jan@xn--mnchen-3ya.example)'],
  ['Jan@XN--MNCHEN-3YA.example', 'Jan@m\u00fcnchen.example (Jan@XN--MNCHEN-3YA.example)'],
  // A Cyrillic look-alike: the form beside it tells.
  ['x@xn--80ak6aa92e.com', 'x@\u0430\u0440\u0440\u04cf\u0435.com (x@xn--80ak6aa92e.com)'],
])('people read %s as %s', (address, shown) => expect(addressForPeople(address)).toBe(shown));

it.each([
  ['a name', 'Jan'],
  ['ASCII', 'jan@example.com'],
  ['a label that is no Punycode', 'jan@xn--a.example'],
  ['a label of ASCII in Punycode', 'jan@xn--abc-.example'],
  ['letters that lead elsewhere', 'jan@xn--mnchen-3ya.xn--a.example'],
  ['a text after the domain', 'jan@xn--mnchen-3ya.example is gone'],
  ['a path after the domain', 'jan@xn--mnchen-3ya.example/x'],
])('%s has no letters of its own', (_what, address) => {
  expect(inOwnLetters(address)).toBeUndefined();
  expect(addressForPeople(address)).toBe(address);
});

it('is searched for as it was sent, and as it is stored', () => {
  expect(searchedForms('jan@example.com')).toEqual(['jan@example.com']);
  expect(searchedForms('jan@m\u00fcnchen.example')).toEqual([
    'jan@m\u00fcnchen.example',
    'jan@xn--mnchen-3ya.example',
  ]);
});
