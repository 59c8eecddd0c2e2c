import { ApiProperty } from '@nestjs/swagger';
import { BILLING } from './billing.properties';
import type { Billing } from './billing.types';

class InvoiceDayResponse {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 28,
    description: 'First day of the month',
    example: 1,
  })
  min!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 28,
    description: 'Last day of the month',
    example: 28,
  })
  max!: number;
}

/** Billing's own fields of an organisation. */
class BillingResponse {
  @ApiProperty(BILLING.discount)
  discount!: string;

  @ApiProperty(BILLING.peppolInvoicing)
  peppolInvoicing!: boolean;

  @ApiProperty(BILLING.prePaymentRequired)
  prePaymentRequired!: boolean;

  @ApiProperty(BILLING.isSoft)
  isSoft!: boolean;

  @ApiProperty({ type: String, nullable: true, ...BILLING.beforeFirstOrder })
  beforeFirstOrder!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, ...BILLING.commissionFactor })
  commissionFactor!: number | null;

  @ApiProperty(BILLING.documentInterval)
  documentInterval!: string;

  @ApiProperty({ type: InvoiceDayResponse, ...BILLING.invoiceDay })
  invoiceDay!: InvoiceDayResponse;
}

/** Response of GET. */
export class BillingOfOrganisationResponse {
  @ApiProperty({ type: BillingResponse, description: 'What billing keeps of the organisation' })
  billing!: BillingResponse;
}

export const toBillingResponse = (billing: Billing): BillingResponse => ({
  discount: billing.discount,
  peppolInvoicing: billing.peppolInvoicing,
  prePaymentRequired: billing.prePaymentRequired,
  isSoft: billing.isSoft,
  beforeFirstOrder: billing.beforeFirstOrder,
  commissionFactor: billing.commissionFactor,
  documentInterval: billing.documentInterval,
  invoiceDay: { min: billing.invoiceDayMin, max: billing.invoiceDayMax },
});
