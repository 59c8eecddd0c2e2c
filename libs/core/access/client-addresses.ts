import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AddressList } from '../network/address-list';
import { clientAddress } from '../network/client-address';
import { Settings } from '../settings/settings';

/** The address that a request comes from: the connection's, or what a trusted proxy says of it. */
@Injectable()
export class ClientAddresses {
  private readonly trustedProxies: AddressList;

  constructor(settings: Settings) {
    this.trustedProxies = AddressList.of(settings.trustedProxies);
  }

  /** Canonical text; IPv4-mapped IPv6 addresses come as IPv4. */
  of({ socket, headers }: Pick<Request, 'socket' | 'headers'>): string {
    return clientAddress(socket.remoteAddress, headers['x-forwarded-for'], this.trustedProxies);
  }
}
