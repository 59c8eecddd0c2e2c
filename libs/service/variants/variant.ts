import type { Provider, Type } from '@nestjs/common';

/** Everything that makes a process serve one variant: this list is the whole difference at run time. */
export interface Variant {
  /** Each domain's shapes, and the services that behave differently, bound to their abstract class. */
  readonly providers: readonly Provider[];
  /** Modules with the routes that exist in this variant only. */
  readonly modules: readonly Type<object>[];
}
