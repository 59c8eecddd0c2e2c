import type { StreamableFile } from '@nestjs/common';
import type { Page, RestOfPage } from '@app/core/paging/page';
import { streamedJson } from '@app/core/wire/json-response';
import { ENTITY_KINDS, KIND_IN_PATHS, type EntityKind } from '../entity.types';
import type { EntityOfOrganisation } from './entity-of-organisation.types';
import type { EntityOverviewResponse, EntityTotalsResponse } from './entity-overview.response';
import { toDomainResponse, toMailGroupResponse, toNamedEntityResponse } from './entity.response';

const RESPONSE_OF: Readonly<Record<EntityKind, (entity: EntityOfOrganisation) => object>> = {
  app: toNamedEntityResponse,
  domain: toDomainResponse,
  mailgroup: toMailGroupResponse,
  system: toNamedEntityResponse,
};

/** The overview that is held in memory as a whole. */
export function wholeOverview({ items }: Page<EntityOfOrganisation>): EntityOverviewResponse {
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

/** The same response as JSON that is written as the rows come; its total is only known, and written, at the end. */
export function streamedOverview(rest: RestOfPage<EntityOfOrganisation>): StreamableFile {
  const file = streamedJson(jsonOf(rest));
  // A stream that ends before it was read never comes to the end of its rows.
  file.getStream().once('close', () => void rest.close());
  return file;
}

/** Takes batches ordered by kind, in the order of {@link ENTITY_KINDS}. */
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
