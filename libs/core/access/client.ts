import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import { ClientAddresses } from './client-addresses';

/** Where a request comes from. */
export interface Client {
  /** Canonical address text. */
  readonly address: string;
  /** Whether the address can be the client's own: see {@link ClientAddresses.isOwn}. */
  readonly isAddressOwn: boolean;
  /** What the client calls itself, cut to what is stored; empty without the header. */
  readonly userAgent: string;
}

/** Longest user agent that is stored. */
const MAX_USER_AGENT_LENGTH = 512;

const CurrentRequest = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<Request>(),
);

@Injectable()
class ClientPipe implements PipeTransform<Request, Client> {
  constructor(private readonly addresses: ClientAddresses) {}

  transform(request: Request): Client {
    const userAgent = request.headers['user-agent'] ?? '';
    return {
      address: this.addresses.of(request),
      isAddressOwn: this.addresses.isOwn(request),
      userAgent: userAgent.replaceAll('\0', '').slice(0, MAX_USER_AGENT_LENGTH),
    };
  }
}

@Injectable()
class ClientAddressPipe implements PipeTransform<Request, string> {
  constructor(private readonly addresses: ClientAddresses) {}

  transform(request: Request): string {
    return this.addresses.of(request);
  }
}

/** Address and user agent of the request. */
export const TheClient = () => CurrentRequest(ClientPipe);

/** Address that the request comes from. */
export const ClientAddress = () => CurrentRequest(ClientAddressPipe);
