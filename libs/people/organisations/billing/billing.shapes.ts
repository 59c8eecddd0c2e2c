import { BooleanField, IntegerField, TextField } from '@app/platform/dto/field.decorators';
import { type EveryField, ResponseField, singleOf, updateShape } from '@app/platform/dto/shapes';
import { InvoiceDayField } from '../shapes/organisation.decorators';
import type { Billing, BillingChanges } from './billing.service';

/** Descriptions of billing's own fields, in requests and responses. */
const BILLING = {
  discount: { description: 'Discount, in the words of billing; empty for none', example: '10%' },
  peppolInvoicing: { type: 'boolean', description: 'Whether invoices are delivered over Peppol' },
  prePaymentRequired: { type: 'boolean', description: 'Whether it has to pay in advance' },
  isSoft: { type: 'boolean', description: 'Whether billing treats it as soft; kept for billing' },
  beforeFirstOrder: {
    description: 'What is waited for before its first order; null for nothing',
    example: null,
  },
  commissionFactor: { description: 'Factor of commissions; null for none', example: 3 },
  documentInterval: { description: 'Interval of documents; 0 at creation', example: '0' },
  invoiceDay: { description: 'Days of the month between which invoices are made' },
} as const;

class InvoiceDayResponse {
  @ResponseField({
    type: 'integer',
    minimum: 1,
    maximum: 28,
    description: 'First day of the month',
    example: 1,
  })
  min!: number;

  @ResponseField({
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
  @ResponseField(BILLING.discount) discount!: string;
  @ResponseField(BILLING.peppolInvoicing) peppolInvoicing!: boolean;
  @ResponseField(BILLING.prePaymentRequired) prePaymentRequired!: boolean;
  @ResponseField(BILLING.isSoft) isSoft!: boolean;
  @ResponseField({ type: 'string', nullable: true, ...BILLING.beforeFirstOrder }) beforeFirstOrder!:
    string | null;
  @ResponseField({ type: 'integer', nullable: true, ...BILLING.commissionFactor }) commissionFactor!:
    number | null;
  @ResponseField(BILLING.documentInterval) documentInterval!: string;
  @ResponseField({ type: InvoiceDayResponse, ...BILLING.invoiceDay }) invoiceDay!: InvoiceDayResponse;
}

const toBillingResponse = (billing: Billing): BillingResponse => ({
  discount: billing.discount,
  peppolInvoicing: billing.peppolInvoicing,
  prePaymentRequired: billing.prePaymentRequired,
  isSoft: billing.isSoft,
  beforeFirstOrder: billing.beforeFirstOrder,
  commissionFactor: billing.commissionFactor,
  documentInterval: billing.documentInterval,
  invoiceDay: { min: billing.invoiceDayMin, max: billing.invoiceDayMax },
});

/** Body of PUT and PATCH. */
class UpdateBillingDto {
  @TextField({ max: 64, ...BILLING.discount }) discount?: string;
  @BooleanField(BILLING.peppolInvoicing) peppolInvoicing?: boolean;
  @BooleanField(BILLING.prePaymentRequired) prePaymentRequired?: boolean;
  @BooleanField(BILLING.isSoft) isSoft?: boolean;
  @TextField({ max: 255, nullable: true, ...BILLING.beforeFirstOrder }) beforeFirstOrder?: string | null;
  @IntegerField({ nullable: true, ...BILLING.commissionFactor }) commissionFactor?: number | null;
  @TextField({ max: 64, ...BILLING.documentInterval }) documentInterval?: string;
  @InvoiceDayField(BILLING.invoiceDay) invoiceDay?: { min: number; max: number };
}

const updateBillingShape = updateShape(UpdateBillingDto, (dto): EveryField<BillingChanges> => ({
  discount: dto.discount,
  peppolInvoicing: dto.peppolInvoicing,
  prePaymentRequired: dto.prePaymentRequired,
  isSoft: dto.isSoft,
  beforeFirstOrder: dto.beforeFirstOrder,
  commissionFactor: dto.commissionFactor,
  documentInterval: dto.documentInterval,
  invoiceDayMin: dto.invoiceDay?.min,
  invoiceDayMax: dto.invoiceDay?.max,
}));

/** Requests and responses of billing's own fields, equal in both variants. */
export class BillingShapes {
  readonly update = updateBillingShape;
  readonly single = singleOf('billing', BillingResponse, toBillingResponse, {
    as: 'BillingOfOrganisationResponse',
    description: 'What billing keeps of the organisation',
  });
}
