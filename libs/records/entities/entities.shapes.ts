import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { ResponseShape } from '@app/platform/dto/shapes';
import type { Page, RestOfPage } from '@app/platform/lists/paginator';
import type { EntityOfOrganisation } from './entities.service';
import { ENTITY_KINDS, type EntityKind, KIND_IN_PATHS } from './entity.types';
import {
  EntityOverviewResponse,
  EntityRow,
  entityRows,
  type EntityTotalsResponse,
  toDomainResponse,
  toMailGroupResponse,
  toNamedEntityResponse,
} from './entity-overview.response';

const RESPONSE_OF: Readonly<Record<EntityKind, (entity: EntityOfOrganisation) => object>> = {
  app: toNamedEntityResponse,
  domain: toDomainResponse,
  mailgroup: toMailGroupResponse,
  system: toNamedEntityResponse,
};

/** The overview in memory. */
function wholeOverview({ items }: Page<EntityOfOrganisation>): EntityOverviewResponse {
  const of = (kind: EntityKind): EntityOfOrganisation[] => items.filter((entity) => entity.kind === kind);
  const apps = of('app').map(toNamedEntityResponse);
  const domains = of('domain').map(toDomainResponse);
  const mailgroups = of('mailgroup').map(toMailGroupResponse);
  const systems = of('system').map(toNamedEntityResponse);
  const total = {
    apps: apps.length,
    domains: domains.length,
    mailgroups: mailgroups.length,
    systems: systems.length,
  };
  return { total, domains, systems, apps, mailgroups };
}

/** The overview as a JSON stream, with the total at the end. */
function streamedOverview(rest: RestOfPage<EntityOfOrganisation>): StreamableFile {
  const stream = Readable.from(jsonOf(rest), { objectMode: false });
  // If a stream closes before its first read, the generator does not end by itself.
  stream.once('close', () => void rest.close());
  return new StreamableFile(stream, { type: 'application/json; charset=utf-8' }).setErrorHandler(
    (error, response) => {
      // Nest's own handler would answer 400. A broken connection marks the response as incomplete.
      stream.destroy(error);
      response.destroy?.();
    },
  );
}

/** Requires batches in the order of {@link ENTITY_KINDS}. */
async function* jsonOf(batches: AsyncIterable<readonly EntityOfOrganisation[]>): AsyncGenerator<string> {
  const total: EntityTotalsResponse = { apps: 0, domains: 0, mailgroups: 0, systems: 0 };
  let position = 0;
  let text = `{"${KIND_IN_PATHS[ENTITY_KINDS[0]]}":[`;
  const nextField = (): void => {
    position += 1;
    text += `],"${KIND_IN_PATHS[ENTITY_KINDS[position] as EntityKind]}":[`;
  };
  for await (const batch of batches) {
    for (const entity of batch) {
      while (ENTITY_KINDS[position] !== entity.kind) nextField();
      const field = KIND_IN_PATHS[entity.kind];
      text += `${total[field] === 0 ? '' : ','}${JSON.stringify(RESPONSE_OF[entity.kind](entity))}`;
      total[field] += 1;
    }
    yield text;
    text = '';
  }
  while (position < ENTITY_KINDS.length - 1) nextField();
  yield `${text}],"total":${JSON.stringify(total)}}`;
}

/** The shapes of the entity overview. */
export class EntitiesShapes {
  /** Response of `GET …/entities`. */
  readonly overview: ResponseShape<Page<EntityOfOrganisation>> = {
    body: EntityOverviewResponse,
    toResponse: (page) => (page.rest === undefined ? wholeOverview(page) : streamedOverview(page.rest)),
    csv: { name: 'entities', row: EntityRow, rowsOf: entityRows },
  };
}
