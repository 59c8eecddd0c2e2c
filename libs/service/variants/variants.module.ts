import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { VariantName } from '@app/core/settings/settings';
import type { Variant } from './variant';
import { VARIANT_A } from './variant-a';
import { VARIANT_B } from './variant-b';

/** The only place that names both variants. */
const VARIANTS: Readonly<Record<VariantName, Variant>> = { A: VARIANT_A, B: VARIANT_B };

/** Binds every domain's shapes, and the routes that exist in one variant only, to the variant of `API_VARIANT`. */
@Global()
@Module({})
export class VariantsModule {
  static serving(name: VariantName): DynamicModule {
    const { providers, modules } = VARIANTS[name];
    return {
      module: VariantsModule,
      imports: [...modules],
      providers: [...providers],
      exports: providers.map((provider) => ('provide' in provider ? provider.provide : provider)),
    };
  }
}
