import type { ClassProvider, ModuleMetadata, ValueProvider } from '@nestjs/common';
import type { Settings } from '@app/config/settings';

type Imports = NonNullable<ModuleMetadata['imports']>;

export interface Variant {
  readonly providers: (ClassProvider | ValueProvider)[];
  readonly imports: Imports;
  /** Modules whose routes also need a setting, each with the domain of the setting. */
  readonly importsWith?: readonly ((settings: Settings) => Imports)[];
}
