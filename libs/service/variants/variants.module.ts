import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { VariantName } from '@app/platform/process/settings';
import { VARIANT_A } from './variant-a';
import { VARIANT_B } from './variant-b';

const VARIANTS = { A: VARIANT_A, B: VARIANT_B } satisfies Record<VariantName, object>;

/** Binds every domain's shapes, and the routes that exist in one variant only, to the variant of `API_VARIANT`. */
@Global()
@Module({})
export class VariantsModule {
  static serving(name: VariantName): DynamicModule {
    const { providers, imports } = VARIANTS[name];
    return {
      module: VariantsModule,
      imports,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
