import type { ApiPropertyOptions } from '@nestjs/swagger';

const TO_ADMINS = 'answered to admins alone';

/** How the interface description shows the fields of an organisation, wherever one is shown or sent. */
export const ORGANISATION = {
  id: { type: 'integer', description: 'Identifier of the organisation', example: 12 },
  name: { description: 'Name of the company or person', example: 'Bakkerij de Vries' },
  taxNumber: { description: 'Tax number, as it was given', example: 'NL001234567B01' },
  street: { description: 'Street of the address; empty when not known', example: 'Dorpsstraat' },
  houseNumber: {
    description:
      'House number with its addition; empty when not known. The number 0 counts as absent in requests',
    example: '12a',
  },
  zip: {
    description: 'Postal code; empty when not known. The number 0 counts as absent in requests',
    example: '1234 AB',
  },
  city: { description: 'City of the address; empty when not known', example: 'Utrecht' },
  country: { nullable: true, description: 'Country of the address; null when not known' },
  resellerOrganisation: {
    nullable: true,
    description: 'The organisation that resells to this one; null without one',
  },
  parentOrganisation: {
    description: 'Identifier of the parent in the tree; empty for the operator organisation alone',
    example: '1',
  },
  mustPayTax: { description: 'Whether tax is added to the invoice price; true at creation' },
  remarksToPrintInvoice: { nullable: true, description: 'Remarks that are printed on invoices' },
  updateEntitiesOnly: {
    description:
      'Users of sub-organisations with true can not create or delete entities; false at creation. The areas of the panel that hold entities act on it',
  },
  preventDeactivation: {
    description: 'Kept for the areas of the panel that deactivate; true at creation',
  },
  externalInfoRequired: {
    description:
      'Which information is asked for elsewhere in the panel, kept for the areas that do; 0 at creation',
  },
  organisationType: { description: 'Type of the organisation' },
  nextInvoiceRun: {
    description: 'When invoices are made next, Unix seconds as text; empty when no run is planned',
    example: '1767225600',
  },
  required2fa: { description: 'Whether the users of the organisation must log in with a second factor' },
  agencyMode: { description: 'Kept for the areas of the panel that act on it; 0 at creation' },
  bundleProRata: { description: 'Whether billing bundles parts of a period; false at creation' },
  testAccount: { description: 'Whether the organisation is a test account' },
  beforeFirstOrder: { nullable: true, description: 'Kept for billing; no request sets it' },
  source1: { nullable: true, description: 'Where the organisation came from, as free text' },
  source2: { nullable: true, description: 'Where the organisation came from, further free text' },
  pdfInvoice: { description: 'Whether invoices are sent as PDF attachments' },
  peppolInvoicing: { description: 'Whether invoices are sent by Peppol; no request sets it' },
  isSoft: { description: 'Kept for billing; no request sets it' },
  information: { nullable: true, description: 'Free text about the organisation' },
  externalId: {
    nullable: true,
    description: `Identifier of the organisation in another system; ${TO_ADMINS}`,
    example: 'CRM-4711',
  },
  paymentperiod: {
    enum: [0, 30, 60, 90],
    description: `Days within which invoices are paid, 30 at creation; ${TO_ADMINS}`,
  },
  resellerKickback: {
    nullable: true,
    description: `Commission of the reseller in hundredths of a percent (100 = 1%); null without one; ${TO_ADMINS}`,
  },
  defaultResellerKickback: {
    nullable: true,
    description: `Commission, where none other is set, in hundredths of a percent (100 = 1%); ${TO_ADMINS}`,
  },
  discount: { description: `Discount as text, empty without one; no request sets it; ${TO_ADMINS}` },
  prePaymentRequired: { description: 'Whether orders are paid in advance; no request sets it' },
  defaultAgreements: {
    description: `Agreement id by entity class name (apps, domains, generic items, locations, mail groups, systems); ${TO_ADMINS}`,
  },
  users: { description: 'The users of the organisation' },
  pricegroup: { description: `The price group whose prices count; ${TO_ADMINS}` },
  total: { type: 'integer', description: 'How many organisations the whole list has, all pages together' },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
