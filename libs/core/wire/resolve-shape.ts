import type { ModuleRef } from '@nestjs/core';
import type { ShapeReference } from './wire.decorators';

/** The shape that a route's declaration points at, as the running variant has it. */
export function resolveShape<Shape>(moduleRef: ModuleRef, reference: ShapeReference): Shape {
  const shapes = moduleRef.get<Record<string, Shape>>(reference.shapes, { strict: false });
  const shape = shapes[reference.name];
  if (shape === undefined) throw new Error(`${reference.shapes.name} has no shape ${reference.name}`);
  return shape;
}
