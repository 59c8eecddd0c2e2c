import type { ClassProvider, ModuleMetadata, ValueProvider } from '@nestjs/common';
import type { Settings } from '@app/config/settings';

type Imports = NonNullable<ModuleMetadata['imports']>;

export interface Variant {
  readonly providers: (ClassProvider | ValueProvider)[];
  readonly imports: Imports;
  /** Routes that also need a setting. */
  readonly importsWith?: (settings: Pick<Settings, 'passkeys'>) => Imports;
}
