import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { APP_LOGGER } from '../logging/logger';
import { AddressList } from '../network/address-list';
import { clientAddress, normalisedAddress, UNKNOWN_ADDRESS } from '../network/client-address';
import { Settings } from '../settings/settings';

/** The address that a request comes from: the connection's, or what a trusted proxy says of it. */
@Injectable()
export class ClientAddresses {
  private readonly trustedProxies: AddressList;

  private hasWarned = false;

  constructor(
    settings: Settings,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    this.trustedProxies = AddressList.of(settings.trustedProxies);
  }

  /** Whether the other end of the connection is a proxy whose headers count. */
  isTrustedProxy({ socket }: Pick<Request, 'socket'>): boolean {
    return socket.remoteAddress !== undefined && this.trustedProxies.includes(socket.remoteAddress);
  }

  /**
   * Makes sure that the address can be asked for when the connection has ended: Node keeps one that it was asked for.
   * Working it out is left to who needs it.
   */
  keep({ socket }: Pick<Request, 'socket'>): void {
    // A getter that remembers what it found.
    void socket.remoteAddress;
  }

  /** Canonical text; IPv4-mapped IPv6 addresses come as IPv4. */
  of({ socket, headers }: Pick<Request, 'socket' | 'headers'>): string {
    return clientAddress(socket.remoteAddress, headers['x-forwarded-for'], this.trustedProxies);
  }

  /**
   * False behind a proxy that is not listed: whatever it passes on has the proxy's address, so that the address tells
   * no client from another. The first time the log says what to do.
   */
  isOwn({ socket, headers }: Pick<Request, 'socket' | 'headers'>): boolean {
    if (headers['x-forwarded-for'] === undefined) return true;
    const peer = normalisedAddress(socket.remoteAddress ?? '') ?? UNKNOWN_ADDRESS;
    if (this.trustedProxies.includes(peer)) return true;
    if (!this.hasWarned) {
      this.hasWarned = true;
      this.logger.warn(
        { peer },
        'X-Forwarded-For from an address that TRUSTED_PROXIES does not list: no device is recognised by its address. If this is your proxy, list it',
      );
    }
    return false;
  }
}
