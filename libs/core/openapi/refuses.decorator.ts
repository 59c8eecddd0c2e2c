import { SetMetadata } from '@nestjs/common';
import type { ApiError } from '../errors/api-error';
import type { ShapeReference, ShapesToken } from '../wire/wire.decorators';

export const REFUSALS_METADATA = 'openapi:refusals';
export const VARIANT_REFUSALS_METADATA = 'openapi:variant-refusals';

/** What a route refuses beyond what its path, access and body say of themselves, for the interface description. */
export const Refuses = (...errors: readonly ApiError[]) => SetMetadata(REFUSALS_METADATA, errors);

/** The same where the variants differ: a list beside the shapes of the running variant. */
export function RefusesIn<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: {
    [Name in keyof Shapes]: Shapes[Name] extends readonly ApiError[] ? Name : never;
  }[keyof Shapes] &
    string,
) {
  return SetMetadata(VARIANT_REFUSALS_METADATA, { shapes, name } satisfies ShapeReference);
}
