import { createShape, type EveryField, updateShape } from '@app/platform/dto/shapes';
import type { NewOrganisation, OrganisationChanges } from '../../organisation-changes.types';
import { describeField } from '../../organisation-field-rights';
import { InvoiceDayField } from '../organisation.decorators';
import {
  CreateOrganisationDto,
  OrganisationChangesDto,
  toNewOrganisation,
  toOrganisationChanges,
} from '../shared/organisation.dto';

export const createOrganisationShape = createShape(
  CreateOrganisationDto,
  (dto): EveryField<NewOrganisation> => ({
    ...toNewOrganisation(dto),
    organisationType: undefined,
    externalInfoRequired: undefined,
    agencyMode: undefined,
    testAccount: undefined,
  }),
);

/** Body of `PUT` and `PATCH /organisations/{organisationId}`. */
class UpdateOrganisationDto extends OrganisationChangesDto {
  @InvoiceDayField({ description: describeField('invoiceDayMin') }) invoiceDay?: { min: number; max: number };
}

export const updateOrganisationShape = updateShape(
  UpdateOrganisationDto,
  (dto): EveryField<OrganisationChanges> => ({
    ...toOrganisationChanges(dto),
    invoiceDayMin: dto.invoiceDay?.min,
    invoiceDayMax: dto.invoiceDay?.max,
    organisationType: undefined,
    externalInfoRequired: undefined,
    nextInvoiceRun: undefined,
    required2fa: undefined,
    agencyMode: undefined,
    bundleProRata: undefined,
    testAccount: undefined,
    information: undefined,
    defaultAgreements: undefined,
    defaultResellerKickback: undefined,
  }),
);
