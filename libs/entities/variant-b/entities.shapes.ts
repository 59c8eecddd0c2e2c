import type { Page } from '@app/core/paging/page';
import type { ResponseShape } from '@app/core/wire/shapes';
import type { EntityOfOrganisation } from './entity-of-organisation.types';
import { EntityRow, entityRows } from './entity-rows';
import { EntityOverviewResponse } from './entity-overview.response';
import { streamedOverview, wholeOverview } from './overview-json';

/** The shapes of the entity overview. */
export class EntitiesShapes {
  /** Response of `GET …/entities`. */
  readonly overview: ResponseShape<Page<EntityOfOrganisation>> = {
    body: EntityOverviewResponse,
    toResponse: (page) => (page.rest === undefined ? wholeOverview(page) : streamedOverview(page.rest)),
    csv: { name: 'entities', row: EntityRow, rowsOf: entityRows },
  };
}
