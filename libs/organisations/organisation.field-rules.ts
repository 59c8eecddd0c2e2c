import { isAdmin, isCustadmin, type Caller } from '@app/core/access/caller';
import { ValidationFailed } from '@app/core/errors/api-error';
import type { OrganisationChanges } from './organisation.values';

/** The fields that only an admin may set, with their wire names (interface description, "Organisations"). */
const ADMIN_FIELDS: Readonly<Partial<Record<keyof OrganisationChanges, string>>> = {
  parentId: 'parentOrganisation',
  externalId: 'externalId',
  agencyMode: 'agencyMode',
  resellerKickback: 'resellerKickback',
  defaultResellerKickback: 'defaultResellerKickback',
  paymentPeriod: 'paymentperiod',
  commissionFactor: 'commissionFactor',
  documentInterval: 'documentInterval',
  source1: 'source1',
  source2: 'source2',
  mustPayTax: 'mustPayTax',
  priceGroupId: 'pricegroup',
  preventDeactivation: 'preventDeactivation',
  pdfInvoice: 'pdfInvoice',
};

/** Who sets the fields, and which reseller the organisation has. */
interface Setting {
  readonly caller: Caller;
  readonly resellerId: number | null;
}

/**
 * Refuses fields that the caller may not set. A null is the same as an absent field here: it is taken out of
 * the input, so that it does not clear anything either.
 */
export function refuseForeignFields(input: OrganisationChanges, { caller, resellerId }: Setting): void {
  if (isAdmin(caller)) return;
  const faults: Record<string, string[]> = {};
  for (const [name, wireName] of Object.entries(ADMIN_FIELDS) as [keyof OrganisationChanges, string][]) {
    if (input[name] === null) delete input[name];
    else if (input[name] !== undefined) faults[wireName] = ['Only an admin can set this field.'];
  }
  const isReseller = isCustadmin(caller) && caller.organisationId === resellerId;
  if (input.updateEntitiesOnly !== undefined && !isReseller) {
    faults['updateEntitiesOnly'] = ['Only an admin or the reseller of the organisation can set this field.'];
  }
  if (Object.keys(faults).length > 0) throw new ValidationFailed(faults);
}
