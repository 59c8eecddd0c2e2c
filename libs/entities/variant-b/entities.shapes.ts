import type { Page } from '@app/core/paging/page';
import type { ResponseShape } from '@app/core/wire/shapes';
import type { EntityOfOrganisation } from './entity-of-organisation.types';
import { EntityRow, entityRows } from './entity-rows';
import { EntityOverviewResponse } from './entity-overview.response';
import { registerEntityShape } from './register-entity.dto';
import { streamedOverview, wholeOverview } from './overview-json';

/** The shapes of the entity overview and of the register. */
export class EntitiesShapes {
  /** Body of `PUT /entities/…`. */
  readonly register = registerEntityShape;
  /** Response of `GET …/entities`. */
  readonly overview: ResponseShape<Page<EntityOfOrganisation>> = {
    body: EntityOverviewResponse,
    toResponse: (page) => (page.rest === undefined ? wholeOverview(page) : streamedOverview(page.rest)),
    csv: { name: 'entities', row: EntityRow, rowsOf: entityRows },
  };
}
