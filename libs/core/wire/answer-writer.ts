import { Injectable, StreamableFile } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { RouteTable } from '../access/route-table';
import { asksForCsv } from '../csv/csv-request';
import { csvAnswer, isPage } from './csv-answer';
import { ANSWER_METADATA, type ShapeReference } from './declarations';
import type { ReplyShape } from './shapes';

/** What goes out instead of a handler's value: JSON text, or a stream of csv or of a long JSON answer. */
export type Answer = { readonly json: string } | { readonly stream: StreamableFile };

/** Turns what a handler gives into the shape that its route declares, in the running variant. */
@Injectable()
export class AnswerWriter {
  /** By express's route; undefined for a route without a shape. */
  private readonly shapes = new WeakMap<object, ReplyShape<unknown> | undefined>();

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly routes: RouteTable,
  ) {}

  /** Undefined where the route declares no shape. Sets the `Link` header of a page that is not the last one. */
  write(request: Request, response: Response, value: unknown): Answer | undefined {
    const shape = this.shapeOf(request);
    if (shape === undefined) return undefined;
    if (isPage(value) && value.nextOffset !== undefined) {
      response.setHeader('Link', nextLink(request, value.nextOffset));
    }
    if (asksForCsv(request)) return { stream: csvAnswer(shape, value) };
    const reply = shape.toReply(value);
    return reply instanceof StreamableFile ? { stream: reply } : { json: JSON.stringify(reply) };
  }

  private shapeOf(request: Request): ReplyShape<unknown> | undefined {
    const route = request.route as { readonly path: string };
    if (this.shapes.has(route)) return this.shapes.get(route);
    // Express answers HEAD with the route of GET.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const served = this.routes.routes.find(({ path, method: its }) => path === route.path && its === method);
    if (served === undefined) throw new Error(`${method} ${route.path} is not in the table of routes`);
    const reference = Reflect.getMetadata(ANSWER_METADATA, served.handler) as ShapeReference | undefined;
    const shape = reference && resolveShape<ReplyShape<unknown>>(this.moduleRef, reference);
    this.shapes.set(route, shape);
    return shape;
  }
}

/** The shape that a route's declaration points at, as the running variant has it. */
export function resolveShape<Shape>(moduleRef: ModuleRef, reference: ShapeReference): Shape {
  const shapes = moduleRef.get<Record<string, Shape>>(reference.shapes, { strict: false });
  const shape = shapes[reference.name];
  if (shape === undefined) throw new Error(`${reference.shapes.name} has no shape ${reference.name}`);
  return shape;
}

/** A relative reference: the request's Host header has no say in it. */
function nextLink(request: Request, offset: number): string {
  const { pathname, searchParams } = new URL(request.originalUrl.replace(/^\/+/, '/'), 'http://relative');
  searchParams.set('offset', String(offset));
  return `<${pathname}?${searchParams.toString()}>; rel="next"`;
}
