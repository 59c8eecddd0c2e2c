import { createHash } from 'node:crypto';
import { Injectable, StreamableFile } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Settings } from '@app/config/settings';
import { subscriberOf } from '@app/formats/ip-address';
import { ClientAddresses } from '../context/client-addresses';
import { isNamed } from '../context/entity-tags';
import { requestState } from '../context/request-state';
import { declarationOf, declares, type ETagOptions } from '../dto/route-declaration';
import { resolveShape, type ResponseShape, type ShapeReference } from '../dto/shapes';
import { ValidationFailed } from '../errors/api-error';
import { asksForCsv, csvResponse, formatFault, isPage } from '../lists/csv-response';
import { publicPath } from './public-path';

/**
 * Sends an entity tag: the client caches the response and revalidates it before each use; an unchanged
 * response is a 304 without a body. For data that seldom changes and does not depend on the reader.
 */
export const ETag = (options: ETagOptions) => declares({ etag: options });

/** The content of a 304. */
export const NOT_MODIFIED = Symbol('not modified');

/**
 * Sets the entity tag. True if the client has the response already. Express would decide otherwise for
 * `Cache-Control: no-cache`, which every `fetch` with `If-None-Match` sends by itself.
 */
function setTag(response: Response, tag: string): boolean {
  const { method, headers } = response.req;
  response.setHeader('ETag', `"${tag}"`);
  return (method === 'GET' || method === 'HEAD') && isNamed(headers['if-none-match'], tag);
}

/** Sets the entity tag of a response that its client may cache. */
function setCachedTag(response: Response, content: string): boolean {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.vary('Accept, Accept-Language, Authorization');
  return setTag(response, createHash('sha256').update(content).digest('base64url').slice(0, 27));
}

/** Shorter responses are not counted, because even one per connection takes little memory. */
const MIN_COUNTED_BYTES = 16_384;

/**
 * Maximum bytes of unread responses: about twenty-four of the longest pages. Together with a record that is
 * being read, a process stays under 450 MB.
 */
const MAX_BYTES_IN_FLIGHT = 48_000_000;

/** Three pieces of a file that is sent: one on its way, one that waits, one that is being read. */
const MAX_FILE_BYTES_IN_MEMORY = 786_432;

/** A response that its client has not read, and its bytes. */
interface Unread {
  readonly response: Response;
  readonly bytes: number;
}

/** The unread responses of one group, or of one stranger, in the order of their writing. */
class UnreadOfGroup {
  bytes = 0;
  private readonly responses = new Set<Unread>();

  get oldest(): Unread | undefined {
    const [oldest] = this.responses;
    return oldest;
  }

  add(unread: Unread): void {
    this.responses.add(unread);
    this.bytes += unread.bytes;
  }

  /** False if it was removed before. */
  remove(unread: Unread): boolean {
    const isRemoved = this.responses.delete(unread);
    if (isRemoved) this.bytes -= unread.bytes;
    return isRemoved;
  }
}

/**
 * Limits the memory of unread responses, and refuses nobody: a response that finds no room ends the one that
 * has waited longest, of the group that holds most (rule answers 47).
 */
@Injectable()
export class ResponseMemoryBudget {
  private bytes = 0;
  private readonly groups = new Map<string, UnreadOfGroup>();

  /**
   * Counts a response until its client has read it or disconnected.
   * @param group whose memory it uses
   */
  add(response: Response, group: string, bytes: number): void {
    // After a disconnect, `close` has been emitted already and is not emitted again.
    if (bytes < MIN_COUNTED_BYTES || response.destroyed) return;
    while (this.bytes > 0 && this.bytes + bytes > MAX_BYTES_IN_FLIGHT) this.endOldest();
    const unread = { response, bytes };
    const ofGroup = this.groups.get(group) ?? new UnreadOfGroup();
    this.groups.set(group, ofGroup);
    ofGroup.add(unread);
    this.bytes += bytes;
    response.once('close', () => this.remove(group, unread));
  }

  private endOldest(): void {
    const [most] = [...this.groups].sort(([, one], [, other]) => other.bytes - one.bytes);
    const [group, { oldest = undefined } = {}] = most ?? [];
    if (group === undefined || oldest === undefined) return;
    this.remove(group, oldest);
    oldest.response.destroy();
  }

  private remove(group: string, unread: Unread): void {
    const ofGroup = this.groups.get(group);
    if (ofGroup?.remove(unread) !== true) return;
    this.bytes -= unread.bytes;
    if (ofGroup.bytes === 0) this.groups.delete(group);
  }
}

/**
 * Writes the value of a handler in the shape of its `@RespondsWith`, in the running variant. The HTTP
 * adapter calls it with the value from Nest. An interceptor would add five observables and an async
 * resource to every request: 520 instead of 373 microseconds of processor time for `GET /whoami` (medians
 * of one run on a busy machine).
 */
@Injectable()
export class ResponseWriter {
  /** Nest's container takes 2.3 microseconds to find a shape, 3 % of what `GET /whoami` takes in Node. */
  private readonly shapes = new WeakMap<ShapeReference, ResponseShape<unknown>>();
  private readonly root: string;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly memoryBudget: ResponseMemoryBudget,
    private readonly addresses: ClientAddresses,
    settings: Settings,
  ) {
    this.root = publicPath(settings);
  }

  /**
   * The content of the response: JSON, a stream, NOT_MODIFIED, or the value itself if its
   * handler declares no form.
   */
  contentOf(response: Response, value: unknown): unknown {
    const { match, context } = requestState(response);
    if (match === undefined) return value;
    const { response: reference, etag } = declarationOf(match.route.handler);
    if (reference !== undefined) assertFormat(response.req);
    const tag = context.version?.tag;
    if (tag !== undefined && setTag(response, tag)) return NOT_MODIFIED;
    if (reference !== undefined)
      return this.written(this.shapeOf(reference), value, response, etag !== undefined);
    return value instanceof StreamableFile ? this.streamed(value, response) : value;
  }

  private shapeOf(reference: ShapeReference): ResponseShape<unknown> {
    const shape =
      this.shapes.get(reference) ?? resolveShape<ResponseShape<unknown>>(this.moduleRef, reference);
    this.shapes.set(reference, shape);
    return shape;
  }

  /** The customer, or the subscriber with the address of a stranger. */
  private groupOf(response: Response): string {
    const { client } = requestState(response).context;
    if (client !== undefined && 'group' in client) return client.group;
    return `address:${subscriberOf(this.addresses.of(response.req))}`;
  }

  /** Counts a file until it is read. */
  private streamed(stream: StreamableFile, response: Response): StreamableFile {
    const { length } = stream.getHeaders();
    if (length !== undefined) {
      this.memoryBudget.add(response, this.groupOf(response), Math.min(length, MAX_FILE_BYTES_IN_MEMORY));
    }
    return stream.setErrorHandler((error) => {
      // A normal end of the response would make an incomplete file look complete.
      stream.errorLogger(error);
      response.destroy();
    });
  }

  /** JSON, or a stream of csv. Sets the `Link` header unless the page is the last one. */
  private written(
    shape: ResponseShape<unknown>,
    value: unknown,
    response: Response,
    hasETag: boolean,
  ): string | StreamableFile | typeof NOT_MODIFIED {
    const request = response.req;
    const body = asksForCsv(request) ? csvResponse(shape, value) : shape.toResponse(value);
    const content = body instanceof StreamableFile ? this.streamed(body, response) : JSON.stringify(body);
    if (typeof content === 'string') {
      if (hasETag && setCachedTag(response, content)) return NOT_MODIFIED;
      this.memoryBudget.add(response, this.groupOf(response), content.length);
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
    }
    if (isPage(value) && value.nextOffset !== undefined) {
      addLink(response, `<${this.root}${nextPage(request, value.nextOffset)}>; rel="next"`);
    }
    return content;
  }
}

/** Throws 400 for an unknown format. A list has named it already, with its other parameters. */
function assertFormat({ method, query }: Request): void {
  if (method !== 'GET' && method !== 'HEAD') return;
  const found = formatFault(query);
  if (found !== undefined) throw ValidationFailed.on('format', found);
}

/**
 * Puts a link before existing links in the same header line, because simple clients read
 * one line and its first link.
 */
export function addLink(response: Response, link: string): void {
  const present = response.getHeader('Link');
  response.setHeader('Link', present === undefined ? link : `${link}, ${String(present)}`);
}

/** Path and query alone, independent of the Host header. */
function nextPage(request: Request, offset: number): string {
  const { pathname, searchParams } = new URL(request.originalUrl.replace(/^\/+/, '/'), 'http://relative');
  searchParams.set('offset', String(offset));
  return `${pathname}?${searchParams.toString()}`;
}
