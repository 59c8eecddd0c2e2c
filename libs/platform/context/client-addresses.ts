import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { Settings } from '@app/config/settings';
import { AddressList, normalisedAddress } from '@app/formats/ip-address';
import { APP_LOGGER } from '../observability/logger';

/**
 * Addresses of connections. They remain after the end of a connection, because a
 * response may still need them.
 */
const peers = new WeakMap<Socket, string>();

/** Stores the normalised address of an admitted connection. */
export const noteAddress = (socket: Socket, address: string): void => void peers.set(socket, address);

/** The normalised address at the other end of an admitted connection, also after the connection has ended. */
function addressOf(socket: Socket): string {
  const address = peers.get(socket);
  if (address === undefined) throw new Error('A connection was served without being admitted');
  return address;
}

/**
 * Finds the IP address of a request's client: the address of the connection, or the one
 * that a trusted proxy reports.
 */
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

  /** Whether the connection comes from a proxy of `TRUSTED_PROXIES`. */
  isTrustedProxy({ socket }: Pick<Request, 'socket'>): boolean {
    return this.trustedProxies.includes(addressOf(socket));
  }

  /** Canonical text; IPv4-mapped IPv6 addresses are written as IPv4. */
  of(request: Pick<Request, 'socket' | 'headers'>): string {
    // Warns at the first use: behind a proxy that is not listed, all clients share one address.
    if (!this.hasWarned) this.isOwn(request);
    const { socket, headers } = request;
    return clientAddress(addressOf(socket), headers['x-forwarded-for'], this.trustedProxies);
  }

  /** False behind a proxy that is not listed, because all its clients have its address. Warns once. */
  isOwn({ socket, headers }: Pick<Request, 'socket' | 'headers'>): boolean {
    if (headers['x-forwarded-for'] === undefined) return true;
    const peer = addressOf(socket);
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

/**
 * Normalised IP address of the client. `X-Forwarded-For` counts only as far as trusted proxies wrote
 * it: the search starts at the connection, goes leftwards through the header, and stops at the first
 * address that is no trusted proxy. If all are trusted, it is the leftmost; if one is not an IP
 * address, it is the connection's.
 * @param connection normalised address of the connection
 */
export function clientAddress(
  connection: string,
  xForwardedFor: string | readonly string[] | undefined,
  trustedProxies: AddressList,
): string {
  const header = typeof xForwardedFor === 'string' ? xForwardedFor : (xForwardedFor ?? []).join(',');
  if (header.trim() === '') return connection;

  let client = connection;
  for (const hop of header.split(',').reverse()) {
    if (!trustedProxies.includes(client)) return client;
    const address = addressOfHop(hop.trim());
    if (address === undefined) return connection;
    client = address;
  }
  return client;
}

const QUOTED = /^"(.*)"$/s;
/** An address in brackets, or IPv4, with its port if any. IPv6 without brackets has no port. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Application gateways write `203.0.113.5:41234` and `[2001:db8::1]:443`, some in quotes (rule requests 73).
 */
function addressOfHop(hop: string): string | undefined {
  const text = QUOTED.exec(hop)?.[1]?.trim() ?? hop;
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  return normalisedAddress(bracketed ?? plain ?? text);
}
