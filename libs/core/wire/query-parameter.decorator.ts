import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ValidationFailed } from '../errors/api-error';
import { faultsIn, fault, type FoundFaults } from '../errors/fault';
import { isStorableText, NOT_STORABLE } from './field.decorators';

export const QUERY_METADATA = 'wire:query';

const GIVEN_TWICE = fault('GIVEN_TWICE', 'This parameter should be given once.');

/** A text beside the path that is no convention of lists. */
export interface QueryText {
  readonly name: string;
  readonly description: string;
  readonly maxLength: number;
  readonly example: string;
  /** What is wrong with it, beyond its length. */
  readonly check: (text: string) => FoundFaults;
}

const TheText = createParamDecorator(
  ({ name, maxLength, check }: QueryText, context: ExecutionContext): string | undefined => {
    const value = context.switchToHttp().getRequest<Request>().query[name];
    if (value === undefined || value === '') return undefined;
    const refuse = (found: FoundFaults): never => {
      throw ValidationFailed.on(name, faultsIn(found));
    };
    if (typeof value !== 'string') return refuse(GIVEN_TWICE);
    if (!isStorableText(value)) return refuse(NOT_STORABLE);
    const text = value.trim();
    if ([...text].length > maxLength) {
      return refuse(
        fault('TOO_LONG', `This value is too long. It should have ${maxLength} characters or less.`),
      );
    }
    const found = faultsIn(check(text));
    return found.length > 0 ? refuse(found) : text;
  },
);

/** A text of the query string; empty counts as absent. */
export const QueryParameter =
  (text: QueryText): ParameterDecorator =>
  (prototype, handlerName, index) => {
    const handler = (prototype as Record<string | symbol, object>)[handlerName ?? ''];
    if (handler !== undefined) Reflect.defineMetadata(QUERY_METADATA, text, handler);
    TheText(text)(prototype, handlerName, index);
  };
