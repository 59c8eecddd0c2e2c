import { type IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import type { RequestState } from '../context/request-state';
import { BufferingRequest } from './node-parser';

/**
 * Gives the server request and response classes that already have Express's methods.
 *
 * Express changes the prototype of every request and response with `Object.setPrototypeOf`, and V8 stops
 * optimising the code that uses such an object. Here the classes have the methods and the application has the
 * same prototypes, so the call changes nothing. On Node 26 this makes Express as fast as a plain server.
 *
 * Check at an upgrade of Express:
 * - `app.handle` still does `Object.setPrototypeOf(request, this.request)`, and likewise for the response.
 * - `app.request` and `app.response` add only properties to `express.request` and
 *   `express.response` (`express.js`).
 */
export function expressMessages(application: Express): ServerOptions {
  class ExpressRequest extends BufferingRequest {}
  class ExpressResponse<R extends IncomingMessage> extends ServerResponse<R> {
    declare locals?: Partial<RequestState>;

    /**
     * Writes the headers of the request's state. Node writes a list faster than headers
     * that were set one by one.
     */
    override writeHead(status: number, ...more: never[]): this {
      const headers = this.locals?.headers ?? [];
      if (more.length === 0 && this.getHeaderNames().length === 0) return super.writeHead(status, headers);
      for (let index = 0; index < headers.length; index += 2) {
        const [name = '', value = ''] = [headers[index], headers[index + 1]];
        if (!this.hasHeader(name)) this.setHeader(name, value);
      }
      return super.writeHead(status, ...more);
    }
  }
  adopt(ExpressRequest.prototype, express.request, application.request);
  adopt(ExpressResponse.prototype, express.response, application.response);
  Object.assign(application, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

function adopt(prototype: object, ...sources: readonly object[]): void {
  for (const source of sources) Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(source));
}
