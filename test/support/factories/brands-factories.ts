import { randomUUID } from 'node:crypto';
import type { ReachableService } from '../service/service';
import { insertRow } from './insert-row';

export interface BrandOptions {
  readonly name?: string;
  readonly supportUrl?: string;
  readonly panelUrl?: string;
  readonly colour?: string;
}

/** The brand of an organisation, written straight to the database. */
export const makeBrand = (
  service: ReachableService,
  organisationId: number,
  { name = 'Kantoor Hosting', supportUrl = '', panelUrl = '', colour = '' }: BrandOptions = {},
): Promise<number> =>
  insertRow(service, 'brands', {
    organisation_id: organisationId,
    name,
    support_url: supportUrl,
    panel_url: panelUrl,
    colour,
    link_key: randomUUID(),
  });

/** For tests that go over all records: paths name the organisation alone. */
export async function makeOwnBrand(
  service: ReachableService,
  { organisationId }: { readonly organisationId: number },
): Promise<Readonly<Record<string, number>>> {
  await makeBrand(service, organisationId);
  return {};
}
