import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import { ClientAddresses } from './client-addresses';

/** Where a request comes from. */
export interface Client {
  /** Canonical address text. */
  readonly address: string;
  /** What the client calls itself, cut to what is stored; empty without the header. */
  readonly userAgent: string;
}

/** Longest user agent that is stored. */
const LONGEST_USER_AGENT = 512;

const TheRequest = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<Request>(),
);

@Injectable()
export class ClientPipe implements PipeTransform<Request, Client> {
  constructor(private readonly addresses: ClientAddresses) {}

  transform(request: Request): Client {
    const userAgent = request.headers['user-agent'] ?? '';
    return {
      address: this.addresses.of(request),
      userAgent: userAgent.replaceAll('\0', '').slice(0, LONGEST_USER_AGENT),
    };
  }
}

@Injectable()
export class ClientAddressPipe implements PipeTransform<Request, string> {
  constructor(private readonly addresses: ClientAddresses) {}

  transform(request: Request): string {
    return this.addresses.of(request);
  }
}

/** Address and user agent of the request. */
export const TheClient = () => TheRequest(ClientPipe);

/** Address that the request comes from. */
export const ClientAddress = () => TheRequest(ClientAddressPipe);
