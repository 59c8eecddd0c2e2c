import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

/** Milliseconds between two looks for connections whose time is over: by so much they may outlive it. */
const CONNECTIONS_CHECKING_INTERVAL = 5000;

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

const malformed = new WeakSet<IncomingMessage>();

/** Whether the target of a request is in absolute form and no URL. */
export const hasMalformedTarget = (request: IncomingMessage): boolean => malformed.has(request);

/**
 * Express behind a server of our own. A whole address as the target of a request, which proxies may send (RFC 9112,
 * section 3.2.2), becomes its path before express looks at it: of one that is no URL it would make a page of its own.
 */
export class HttpAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const serve = this.getInstance<RequestListener>();
    this.httpServer = createServer(
      { connectionsCheckingInterval: CONNECTIONS_CHECKING_INTERVAL },
      (request, response) => {
        takePathAlone(request);
        serve(request, response);
      },
    );
  }
}

function takePathAlone(request: IncomingMessage): void {
  const target = request.url ?? '/';
  if (!AUTHORITY.test(target)) return;
  const path = target.replace(AUTHORITY, '');
  request.url = path.startsWith('/') ? path : `/${path}`;
  if (URL.canParse(target)) return;
  malformed.add(request);
  request.url = '/';
}
