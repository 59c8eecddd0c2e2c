import { AddressList } from '@app/formats/ip-address';
import { clientAddress } from './client-addresses';

describe('clientAddress', () => {
  const trusted = AddressList.of(['10.0.0.0/8', '2001:db8:aaaa::/48']);

  it.each<[string, string, string | string[] | undefined, string]>([
    ['no header', '192.0.2.1', undefined, '192.0.2.1'],
    ['no header, through a proxy', '10.0.0.1', undefined, '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['a header from a stranger', '192.0.2.1', '198.51.100.9', '192.0.2.1'],
    ['one proxy', '10.0.0.1', '198.51.100.9', '198.51.100.9'],
    ['a mapped client', '10.0.0.1', '::ffff:198.51.100.9', '198.51.100.9'],
    ['two proxies', '10.0.0.1', '198.51.100.9, 10.0.0.2', '198.51.100.9'],
    ['proxies of both families', '2001:db8:aaaa::1', '2001:DB8::9,10.0.0.2', '2001:db8::9'],
    ['what the client wrote itself', '10.0.0.1', '203.0.113.66, 198.51.100.9', '198.51.100.9'],
    ['a trusted address the client wrote itself', '10.0.0.1', '10.0.0.7, 198.51.100.9', '198.51.100.9'],
    ['nonsense the client wrote itself', '10.0.0.1', 'nonsense, 198.51.100.9', '198.51.100.9'],
    ['trusted hops only', '10.0.0.1', '10.0.0.9, 10.0.0.2', '10.0.0.9'],
    ['a malformed hop', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['a malformed hop behind a trusted one', '10.0.0.1', '198.51.100.9, 192.0.2.01, 10.0.0.2', '10.0.0.1'],
    ['an empty hop', '10.0.0.1', '198.51.100.9,', '10.0.0.1'],
    ['a port', '10.0.0.1', '198.51.100.9:41234', '198.51.100.9'],
    ['brackets', '10.0.0.1', '[2001:db8::9]', '2001:db8::9'],
    ['brackets and a port', '10.0.0.1', '[2001:DB8::9]:443', '2001:db8::9'],
    ['quotes', '10.0.0.1', '"198.51.100.9"', '198.51.100.9'],
    ['quotes and a port', '10.0.0.1', '"198.51.100.9:41234"', '198.51.100.9'],
    ['quotes, brackets and a port', '10.0.0.1', '"[2001:db8::9]:443"', '2001:db8::9'],
    ['a mapped client with a port', '10.0.0.1', '[::ffff:198.51.100.9]:443', '198.51.100.9'],
    ['a zone', '10.0.0.1', '[fe80::1%eth0]:443', 'fe80::1'],
    ['ports of both hops', '10.0.0.1', '198.51.100.9:41234, 10.0.0.2:443', '198.51.100.9'],
    ['a port of IPv6 without brackets', '10.0.0.1', '2001:db8::9:443', '2001:db8::9:443'],
    ['what the client wrote in quotes', '10.0.0.1', '"203.0.113.66, 198.51.100.9:1', '198.51.100.9'],
    ['a header with a port from a stranger', '192.0.2.1', '198.51.100.9:41234', '192.0.2.1'],
    ['an open quote', '10.0.0.1', '"198.51.100.9', '10.0.0.1'],
    ['an open bracket', '10.0.0.1', '[2001:db8::9', '10.0.0.1'],
    ['a bracket alone', '10.0.0.1', '2001:db8::9]', '10.0.0.1'],
    ['empty brackets', '10.0.0.1', '[]:443', '10.0.0.1'],
    ['a port without a number', '10.0.0.1', '198.51.100.9:', '10.0.0.1'],
    ['a port that is a word', '10.0.0.1', '198.51.100.9:http', '10.0.0.1'],
    ['a port of six digits', '10.0.0.1', '198.51.100.9:412345', '10.0.0.1'],
    ['two ports', '10.0.0.1', '198.51.100.9:1:2', '10.0.0.1'],
    ['a name with a port', '10.0.0.1', 'panel.example:443', '10.0.0.1'],
    ['a parameter of Forwarded', '10.0.0.1', 'for="198.51.100.9:1"', '10.0.0.1'],
    ['a repeated header', '10.0.0.1', ['203.0.113.66', '198.51.100.9'], '198.51.100.9'],
  ])('with %s', (_, remoteAddress, header, expected) => {
    expect(clientAddress(remoteAddress, header, trusted)).toBe(expected);
  });

  it('trusts no header without trusted proxies', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.9', AddressList.of([]))).toBe('10.0.0.1');
  });
});
