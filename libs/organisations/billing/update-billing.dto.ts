import { BooleanField, IntegerField, TextField } from '@app/core/wire/field.decorators';
import { updateShape, type EveryField } from '@app/core/wire/shapes';
import { InvoiceDayField } from '../shapes/invoice-day.decorators';
import { BILLING } from './billing.properties';
import type { BillingChanges } from './billing.types';

/** Body of PUT and PATCH. */
class UpdateBillingDto {
  @TextField({ max: 64, ...BILLING.discount })
  discount?: string;

  @BooleanField(BILLING.peppolInvoicing)
  peppolInvoicing?: boolean;

  @BooleanField(BILLING.prePaymentRequired)
  prePaymentRequired?: boolean;

  @BooleanField(BILLING.isSoft)
  isSoft?: boolean;

  @TextField({ max: 255, nullable: true, ...BILLING.beforeFirstOrder })
  beforeFirstOrder?: string | null;

  @IntegerField({ nullable: true, ...BILLING.commissionFactor })
  commissionFactor?: number | null;

  @TextField({ max: 64, ...BILLING.documentInterval })
  documentInterval?: string;

  @InvoiceDayField(BILLING.invoiceDay)
  invoiceDay?: { min: number; max: number };
}

export const updateBillingShape = updateShape(UpdateBillingDto, (dto): EveryField<BillingChanges> => ({
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
