import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { byKey, DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { assertFound, found } from '@app/platform/errors/api-error';
import type { RequestContext } from '@app/security/context/request-context';
import { Organisation } from '../organisation.entity';

/** Fields set or shown only by the billing routes. */
export type Billing = Pick<
  Organisation,
  | 'discount'
  | 'peppolInvoicing'
  | 'prePaymentRequired'
  | 'isSoft'
  | 'beforeFirstOrder'
  | 'commissionFactor'
  | 'documentInterval'
  | 'invoiceDayMin'
  | 'invoiceDayMax'
>;

/** Undefined: not sent. Null: cleared. */
export type BillingChanges = Partial<Billing>;

const BILLING_BY_ID = byKey<Billing>(`
  SELECT discount, peppol_invoicing AS "peppolInvoicing", pre_payment_required AS "prePaymentRequired",
    is_soft AS "isSoft", before_first_order AS "beforeFirstOrder", commission_factor AS "commissionFactor",
    document_interval AS "documentInterval", invoice_day_min AS "invoiceDayMin", invoice_day_max AS "invoiceDayMax"
  FROM organisations WHERE id = $1 AND deleted_at IS NULL`);

@Injectable()
export class BillingService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
  ) {}

  async read(organisationId: number): Promise<Billing> {
    return found(await this.queries.row<Billing>(BILLING_BY_ID, [organisationId]), 'Organisation');
  }

  /** Changes the given fields. */
  async update(ctx: RequestContext, organisationId: number, changes: BillingChanges): Promise<void> {
    const changesNothing = Object.values(changes).every((value) => value === undefined);
    await this.transactions.run(ctx, async (manager) => {
      if (changesNothing) return;
      const organisation = { id: organisationId, deletedAt: IsNull() };
      await assertFound(manager.update(Organisation, organisation, changes), 'Organisation');
    });
  }
}
