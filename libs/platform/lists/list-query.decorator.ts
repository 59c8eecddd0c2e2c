import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  mixin,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import type { Response } from 'express';
import { Settings } from '@app/config/settings';
import { requestState } from '../context/request-state';
import { declare } from '../dto/route-declaration';
import type { ShapesToken } from '../dto/shapes';
import type { NamesOf } from '../dto/wire.decorators';
import { asksForCsv } from './csv-response';
import { ListConventions, type ListShape, readListRequest } from './list-request';
import type { ListRequest } from './paginator';

/**
 * Passes the list parameters and searches of the query string to the handler, for a list
 * shape of the running variant.
 */
export function ListQuery<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: NamesOf<Shapes, { readonly orderBy: Readonly<Record<string, string>> }>,
): ParameterDecorator {
  return (prototype, handlerName, index) => {
    declare(prototype, handlerName, { list: { shapes, name } });
    CurrentResponse(listPipe(shapes, name))(prototype, handlerName, index);
  };
}

const CurrentResponse = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.getArgByIndex<Response>(1),
);

function listPipe<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: keyof Shapes,
): Type<PipeTransform> {
  @Injectable()
  class ListPipe implements PipeTransform {
    constructor(
      @Inject(shapes) private readonly running: Shapes,
      private readonly conventions: ListConventions,
      private readonly settings: Settings,
    ) {}

    transform(response: Response): ListRequest<string, string> {
      const request = response.req;
      const list = readListRequest(this.running[name] as ListShape<never, string, string>, request.query, {
        tag: this.conventions.tag,
        limitMax: this.settings.listLimitMax,
        streamed: asksForCsv(request),
      });
      return { ...list, reader: requestState(response).context.client };
    }
  }
  return mixin(ListPipe);
}
