import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Settings, VariantName } from '@app/config/settings';
import type { Variant } from './variant';
import { VARIANT_A } from './variant-a';
import { VARIANT_B } from './variant-b';

const VARIANTS: Readonly<Record<VariantName, Variant>> = { A: VARIANT_A, B: VARIANT_B };

/**
 * Binds every domain's shapes, and the routes that exist in only one variant, to the
 * variant of `API_VARIANT`.
 */
@Global()
@Module({})
export class VariantsModule {
  static serving(name: VariantName, settings: Settings): DynamicModule {
    const { providers, imports, importsWith = [] } = VARIANTS[name];
    return {
      module: VariantsModule,
      imports: [...imports, ...importsWith.flatMap((withSettings) => withSettings(settings))],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
