/** How the interface description shows billing's own fields, shown or sent. */
export const BILLING = {
  discount: { description: 'Discount, in the words of billing; empty for none', example: '10%' },
  peppolInvoicing: { description: 'Whether invoices are delivered over Peppol' },
  prePaymentRequired: { description: 'Whether it has to pay in advance' },
  isSoft: { description: 'Whether billing treats it as soft; kept for billing' },
  beforeFirstOrder: {
    description: 'What is waited for before its first order; null for nothing',
    example: null,
  },
  commissionFactor: { description: 'Factor of commissions; null for none', example: 3 },
  documentInterval: { description: 'Interval of documents; 0 at creation', example: '0' },
  invoiceDay: { description: 'Days of the month between which invoices are made' },
} as const;
