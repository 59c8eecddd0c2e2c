import type { Organisation } from '../organisation.entity';

/** What billing keeps of an organisation and no described request sets, or no described answer shows. */
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

/** What a request sets; undefined: not sent, null: cleared. */
export type BillingChanges = Partial<Billing>;
