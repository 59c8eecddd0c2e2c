import ipaddr from 'ipaddr.js';
import { parseIpAddress } from '@app/formats/ip-address';

/** Other addresses are reserved or wrap IPv4. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Azure's metadata service. Its address is the only one of its kind in a public range. */
const AZURE_METADATA = '168.63.129.16';

/**
 * Whether the address belongs to the internet: not local, private, reserved, for
 * metadata, or IPv4 within IPv6.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_IPV6) : text !== AZURE_METADATA;
}
