import type { ClassProvider, ModuleMetadata, ValueProvider } from '@nestjs/common';
import type { Settings } from '@app/platform/process/settings';

type Imports = NonNullable<ModuleMetadata['imports']>;

/** The parts of one variant of the interface. */
export interface Variant {
  readonly providers: (ClassProvider | ValueProvider)[];
  readonly imports: Imports;
  /** Routes that also need a setting. */
  readonly importsWith?: (settings: Pick<Settings, 'passkeys'>) => Imports;
}
