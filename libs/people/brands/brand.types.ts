import type { Brand } from '@app/mail/brands';
import { type ConstraintErrors, fieldError } from '@app/platform/errors/api-error';
import type { BrandOfOrganisation } from './brand.entity';

/** Maximum length of a name: it stands in the head of pages and mails. */
export const MAX_BRAND_NAME_LENGTH = 100;

/** Maximum length of a URL (the column's width). */
export const MAX_BRAND_URL_LENGTH = 2000;

/** A brand with the organisation that has it. */
export interface OwnedBrand extends Brand, Pick<BrandOfOrganisation, 'organisationId'> {}

/** Body of PUT. Undefined leaves a field unchanged, an empty text clears it. */
export type BrandChanges = Partial<Omit<Brand, 'linkKey'>>;

export const NO_ENCODED_WORDS = fieldError('FORBIDDEN_CHARACTER', 'A name of a brand should not hold =?.');

export const NO_SUPPORT_URL = fieldError(
  'INVALID',
  'This value should be a URL with https and a domain name, without user name, password and backslash, or an e-mail address.',
);

export const NO_PANEL_URL = fieldError(
  'INVALID',
  'This value should be a URL with https and a domain name, without user name, password, query, fragment and backslash.',
);

export const NO_COLOUR = fieldError('INVALID', 'This value should be a colour like #1a56a8.');

export const PALE_COLOUR = fieldError(
  'CONTRAST_TOO_LOW',
  'White text is not readable on this colour: its contrast should be 4.5 or more.',
);

/** The shapes refuse all these values before. */
export const BRAND_CONSTRAINT_ERRORS: ConstraintErrors = {
  brands_name_in_a_line: {
    field: 'name',
    reason: 'FORBIDDEN_CHARACTER',
    message: 'A name should be one line without control characters.',
  },
  brands_name_without_encoded_words: { field: 'name', ...NO_ENCODED_WORDS },
  brands_support_known: { field: 'supportUrl', ...NO_SUPPORT_URL },
  brands_panel_without_parts: { field: 'panelUrl', ...NO_PANEL_URL },
  brands_colour_known: { field: 'colour', ...NO_COLOUR },
};
