import type { Page } from '@app/core/paging/page';
import type { ReplyShape } from '@app/core/wire/shapes';
import type { EntityOfOrganisation } from '../entity.values';
import { EntityRow, entityRows } from './entity-rows';
import { EntityOverviewAnswer } from './overview-answer';
import { streamedOverview, wholeOverview } from './overview-json';

/** The response shape of the entity overview, whose route exists in Variant B only. */
export class EntitiesShapes {
  /** Answer of `GET …/entities`. */
  readonly overview: ReplyShape<Page<EntityOfOrganisation>> = {
    body: EntityOverviewAnswer,
    toReply: (page) => (page.rest === undefined ? wholeOverview(page) : streamedOverview(page.rest)),
    csv: { name: 'entities', row: EntityRow, rowsOf: entityRows },
  };
}
