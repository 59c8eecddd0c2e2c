import type { ImportedEntity } from './entity.types';

/** What a PUT says of an entity; domains that are undefined stay as they are. */
export type EntityInput = Pick<ImportedEntity, 'name' | 'organisationId' | 'domains'>;
