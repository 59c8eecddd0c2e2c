import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { PreparedQueries, prepared } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Organisation } from '../organisation.entity';
import type { Billing, BillingChanges } from './billing.types';

const BILLING_BY_ID = prepared<Billing>(`
  SELECT discount, peppol_invoicing AS "peppolInvoicing", pre_payment_required AS "prePaymentRequired",
    is_soft AS "isSoft", before_first_order AS "beforeFirstOrder", commission_factor AS "commissionFactor",
    document_interval AS "documentInterval", invoice_day_min AS "invoiceDayMin", invoice_day_max AS "invoiceDayMax"
  FROM organisations WHERE id = $1 AND deleted_at IS NULL`);

/** The fields of organisations that belong to billing. */
@Injectable()
export class BillingService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
  ) {}

  async read(organisationId: number): Promise<Billing> {
    const billing = await this.queries.quickRow<Billing>(BILLING_BY_ID, [organisationId]);
    if (billing === undefined) throw new NotFound('Organisation');
    return billing;
  }

  /** Changes what the input has; what it leaves out stays. */
  async update(organisationId: number, changes: BillingChanges): Promise<void> {
    if (Object.values(changes).every((value) => value === undefined)) return;
    const { affected } = await this.transactions.run((manager) =>
      manager.update(Organisation, { id: organisationId, deletedAt: IsNull() }, changes),
    );
    if (affected === 0) throw new NotFound('Organisation');
  }
}
