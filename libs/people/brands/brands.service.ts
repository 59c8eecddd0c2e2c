import { Injectable } from '@nestjs/common';
import { Brands } from '@app/mail/brands';
import { lockOwner } from '@app/people/users/user-rows';
import type { VersionedRecord } from '@app/platform/context/addressed-version';
import { byKey, DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { REQUIRED } from '@app/platform/dto/text-rules';
import { assertFound, found, ValidationFailed } from '@app/platform/errors/api-error';
import type { Caller } from '@app/security/access/caller';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import type { RequestContext } from '@app/security/context/request-context';
import { BrandOfOrganisation } from './brand.entity';
import type { BrandChanges, OwnedBrand } from './brand.types';

const COLUMNS = `b.organisation_id AS "organisationId", b.name, b.support_url AS "supportUrl", b.panel_url AS "panelUrl", b.colour,
  b.link_key AS "linkKey"`;

const OWN_BRAND = byKey<OwnedBrand>(`SELECT ${COLUMNS} FROM brands b WHERE b.organisation_id = $1`);

/**
 * Goes up from the reseller of an organisation, over reseller links, until one has a brand, and past the last
 * one to the operator's. Each step is by a key: at most 32, however many organisations lie beneath.
 */
export const NEAREST_BRAND = byKey<OwnedBrand>(`
  WITH RECURSIVE way (id) AS (
    SELECT (SELECT reseller_id FROM organisations WHERE id = $1)
    UNION ALL
    SELECT above.reseller_id FROM way CROSS JOIN LATERAL (
      SELECT o.reseller_id FROM organisations o WHERE o.id = way.id OFFSET 0) above
    WHERE NOT EXISTS (SELECT FROM brands b WHERE b.organisation_id = way.id OFFSET 0)
  )
  SELECT ${COLUMNS} FROM way CROSS JOIN LATERAL (
    SELECT * FROM brands WHERE organisation_id = coalesce(way.id, ${OPERATOR_ORGANISATION}) OFFSET 0) b`);

/** The brand of the key $1, else the operator's. */
const BRAND_OF_LINK = byKey<OwnedBrand>(`
  SELECT ${COLUMNS} FROM brands b WHERE b.link_key = $1 OR b.organisation_id = ${OPERATOR_ORGANISATION}
  ORDER BY b.link_key = $1 DESC NULLS LAST LIMIT 1`);

/**
 * An organisation without a brand is in the state "0". The lock lets only one of several first changes with
 * this tag succeed. The tag has the number of the row, because a brand may be deleted and made again at the
 * same path.
 */
export const BRAND_VERSION: VersionedRecord = {
  table: 'brands',
  parameter: 'organisationId',
  key: 'organisation_id',
  tag: `record.id || '-' || record.version`,
  begin: 'SELECT 1 FROM organisations WHERE id = $1 FOR NO KEY UPDATE',
};

const CHANGE = `
  UPDATE brands SET name = coalesce($2, name), support_url = coalesce($3, support_url),
    panel_url = coalesce($4, panel_url), colour = coalesce($5, colour)
  WHERE organisation_id = $1`;

/** Somebody else may have made it meanwhile: then it changes what is given. */
const MAKE = `
  INSERT INTO brands AS b (organisation_id, name, support_url, panel_url, colour, link_key)
  VALUES ($1, $2, coalesce($3, ''), coalesce($4, ''), coalesce($5, ''), gen_random_uuid())
  ON CONFLICT ON CONSTRAINT brands_once DO UPDATE SET name = EXCLUDED.name, support_url = coalesce($3, b.support_url),
    panel_url = coalesce($4, b.panel_url), colour = coalesce($5, b.colour)`;

@Injectable()
export class BrandsService extends Brands {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
  ) {
    super();
  }

  async read(organisationId: number): Promise<OwnedBrand> {
    return found(await this.queries.row(OWN_BRAND, [organisationId]), 'Brand');
  }

  override nearest(organisationId: number | null): Promise<OwnedBrand | undefined> {
    return this.queries.row(NEAREST_BRAND, [organisationId]);
  }

  override ofLink(linkKey: string | undefined): Promise<OwnedBrand | undefined> {
    return this.queries.row(BRAND_OF_LINK, [linkKey ?? null]);
  }

  /** Without an entity tag, if another organisation has the brand. */
  async readNearest(caller: Caller, organisationId: number): Promise<OwnedBrand> {
    const brand = found(await this.nearest(organisationId), 'Brand');
    if (brand.organisationId !== organisationId && caller.version !== undefined)
      caller.version.tag = undefined;
    return brand;
  }

  async update(ctx: RequestContext, organisationId: number, changes: BrandChanges): Promise<void> {
    const { name, supportUrl, panelUrl, colour } = changes;
    const values = [organisationId, name, supportUrl, panelUrl, colour].map((value) => value ?? null);
    await this.transactions.run(ctx, async (manager) => {
      await lockOwner(manager, { organisationId });
      const [, changed] = await manager.query<[unknown, number]>(CHANGE, values);
      if (changed > 0) return;
      if (name === undefined) throw ValidationFailed.on('name', REQUIRED);
      await manager.query(MAKE, values);
    });
  }

  async delete(ctx: RequestContext, organisationId: number): Promise<void> {
    await this.transactions.run(ctx, (manager) =>
      assertFound(manager.delete(BrandOfOrganisation, { organisationId }), 'Brand'),
    );
  }
}
