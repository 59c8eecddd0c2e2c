import type { WritableField } from './organisation.types';
import { ORGANISATION } from './shapes/shared/organisation.properties';

/** What each field is that a request may set, for the interface description. */
export const FIELD_WORDS: Readonly<Record<WritableField, string>> = {
  name: ORGANISATION.name.description,
  taxNumber: ORGANISATION.taxNumber.description,
  resellerId:
    'Identifier of the organisation that resells to this one, which the caller must reach. null takes it off, ' +
    'for an admin; from anybody else null leaves it as it is',
  parentId: 'Identifier of the parent in the tree; at creation the operator organisation without one',
  externalId: 'Identifier of the organisation in another system',
  street: ORGANISATION.street.description,
  houseNumber: ORGANISATION.houseNumber.description,
  zip: ORGANISATION.zip.description,
  city: ORGANISATION.city.description,
  countryCode: 'Country of the address, ISO 3166-1 alpha-2 in any case; empty counts as absent',
  organisationType: 'Identifier of the type: 1 Customer (at creation), 2 Reseller, 3 Operator',
  externalInfoRequired: ORGANISATION.externalInfoRequired.description,
  remarksToPrintInvoice: ORGANISATION.remarksToPrintInvoice.description,
  nextInvoiceRun: 'When invoices are made next, Unix seconds as text up to the year 9999; null plans no run',
  required2fa:
    'Whether the users must log in with a second factor. Set to true, it ends the logins of those who have none, but for the one presented',
  agencyMode: ORGANISATION.agencyMode.description,
  bundleProRata: ORGANISATION.bundleProRata.description,
  testAccount: 'Whether it is a test account: true, false, 1 or 0, as text or not',
  information: ORGANISATION.information.description,
  defaultAgreements:
    'Agreement id by entity class name, at most 50: apps, domains, generic items, locations, mail groups, systems. [] is the empty object',
  invoiceDayMin: 'Days of the month between which invoices are made; shown in no response',
  invoiceDayMax: 'Days of the month between which invoices are made; shown in no response',
  resellerKickback: 'Commission of the reseller in hundredths of a percent (100 = 1%)',
  defaultResellerKickback: 'Commission, where none other is set, in hundredths of a percent (100 = 1%)',
  paymentPeriod: 'Days within which invoices are paid; 30 at creation',
  commissionFactor: 'Factor of commissions, kept for billing; shown in no response',
  documentInterval: 'Interval of documents, kept for billing; 0 at creation; shown in no response',
  source1: ORGANISATION.source1.description,
  source2: ORGANISATION.source2.description,
  mustPayTax: ORGANISATION.mustPayTax.description,
  priceGroupId: 'Identifier of the price group; at creation the one named default',
  preventDeactivation: ORGANISATION.preventDeactivation.description,
  pdfInvoice: 'Whether invoices are sent as PDF attachments: true, false, 1 or 0, as text or not',
  updateEntitiesOnly: ORGANISATION.updateEntitiesOnly.description,
};
