import type { Type } from '@nestjs/common';
import { readSettings } from '@app/config/env';
import { VariantsModule } from '@app/service/variants/variants.module';
import type { Variant } from '../../../qa/variants';

/** The class that a variant binds to the abstract class of a domain's shapes. */
export function boundShapes<Shapes>(token: abstract new () => Shapes, variant: Variant): Shapes {
  const { providers = [] } = VariantsModule.serving(variant, readSettings({}));
  for (const provider of providers) {
    if ('useClass' in provider && provider.provide === token)
      return new (provider.useClass as Type<Shapes>)();
  }
  throw new Error(`Variant ${variant} binds nothing to ${token.name}`);
}
