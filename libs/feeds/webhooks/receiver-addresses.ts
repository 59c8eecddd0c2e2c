import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP, isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { AddressList } from '@app/formats/ip-address';
import { isPublicAddress } from '@app/formats/public-address';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';

/** Milliseconds for the first query to a name server; the second query waits twice as long. */
const LOOKUP_TIME = 2000;
const LOOKUP_TRIES = 2;

/** A literal address without the brackets of IPv6; undefined for a name. */
const literalAddress = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
};

/** The addresses of a name in /etc/hosts, whose lines have an address and its names. */
async function listedAddresses(name: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? [address] : [];
  });
}

/** Looks up the addresses of a name. */
@Injectable()
export class NameLookup {
  /** Queries name servers itself, because `dns.lookup` would block a thread while they are silent. */
  async addressesOf(name: string, signal: AbortSignal): Promise<string[]> {
    const listed = await listedAddresses(name);
    if (listed.length > 0) return listed;
    const resolver = new Resolver({ timeout: LOOKUP_TIME, tries: LOOKUP_TRIES });
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener('abort', cancel);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}

/** An address in the form that `net.connect` expects from a `lookup`. */
interface AllowedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type AllowedAddresses = readonly [AllowedAddress, ...AllowedAddress[]];

/** A receiver that a webhook must not or cannot reach. The message is for its managers. */
export class UnreachableReceiver extends Error {}

/**
 * Decides where webhooks may connect: to public addresses with https; those of the operator organisation also
 * to addresses in `WEBHOOK_NETWORKS`. A customer would learn from the answers what listens inside.
 */
@Injectable()
export class ReceiverAddresses {
  private readonly networks: AddressList;

  constructor(
    settings: Settings,
    private readonly names: NameLookup,
  ) {
    this.networks = AddressList.of(settings.webhookNetworks);
  }

  /** False if the URL is never allowed to the organisation, for any address of its name. */
  isUrlAllowed(url: URL, organisationId: number): boolean {
    const literal = literalAddress(url);
    if (literal !== undefined) return this.isAllowed(url, literal, organisationId);
    return url.protocol === 'https:' || (this.reachesNetworks(organisationId) && !this.networks.isEmpty);
  }

  /** The present addresses of the receiver that are allowed to the organisation. */
  async allowed(url: URL, organisationId: number, signal: AbortSignal): Promise<AllowedAddresses> {
    const literal = literalAddress(url);
    const addresses = literal === undefined ? await this.names.addressesOf(url.hostname, signal) : [literal];
    const [first, ...others] = addresses
      .filter((address) => this.isAllowed(url, address, organisationId))
      .map((address): AllowedAddress => ({ address, family: isIPv6(address) ? 6 : 4 }));
    // An internal name server may have answered: the message has no address, nor whether there is one.
    if (first === undefined) throw new UnreachableReceiver('The host has no address that webhooks may use');
    return [first, ...others];
  }

  /** Whether webhooks of the organisation may connect to `WEBHOOK_NETWORKS`. */
  protected reachesNetworks(organisationId: number): boolean {
    return organisationId === OPERATOR_ORGANISATION;
  }

  private isAllowed({ protocol }: URL, address: string, organisationId: number): boolean {
    if (this.reachesNetworks(organisationId) && this.networks.includes(address)) return true;
    return protocol === 'https:' && isPublicAddress(address);
  }
}
