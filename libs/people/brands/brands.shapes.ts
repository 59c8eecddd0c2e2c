import type { FieldDescription } from '@app/platform/dto/described-fields';
import { TextField } from '@app/platform/dto/field.decorators';
import { querySwitch } from '@app/platform/dto/query-switch';
import { type EveryField, ResponseField, singleOf, updateShape } from '@app/platform/dto/shapes';
import { NAME_RULES, type TextRule } from '@app/platform/dto/text-rules';
import {
  type BrandChanges,
  MAX_BRAND_NAME_LENGTH,
  MAX_BRAND_URL_LENGTH,
  NO_COLOUR,
  NO_ENCODED_WORDS,
  NO_PANEL_URL,
  NO_SUPPORT_URL,
  type OwnedBrand,
  PALE_COLOUR,
} from './brand.types';
import { carriesWhite, isColour } from './brand-colours';
import { canonicalPanel, canonicalSupport, isPanel, isSupport } from './brand-urls';

/** Describes the fields of a brand, in requests and responses. */
const BRAND = {
  name: {
    description: 'Name of the sender of mails, and at the head of mails and pages',
    example: 'Kantoor Hosting',
  },
  supportUrl: {
    description:
      'Page (https) or e-mail address that mails and pages name for help; answers to mails go to an address. Empty: that of the hosting company',
    example: 'help@kantoor.example',
  },
  panelUrl: {
    description:
      'Panel to which mails and pages lead, with https and a domain name, without user name, query ' +
      'and fragment; a slash at its end does not count. Empty: that of the hosting company',
    example: 'https://panel.kantoor.example',
  },
  colour: {
    description:
      'Colour of buttons, `#rrggbb`, on which white text is readable (contrast 4.5 or more); answered in small letters. Empty: that of the service',
    example: '#7a1f5c',
  },
} as const satisfies Readonly<Record<string, FieldDescription>>;

const EMPTY = '';

/** A rule of a text that may be empty. */
const unlessEmpty = ({ name, holds, error }: TextRule): TextRule => ({
  name,
  holds: (text) => text === EMPTY || holds(text),
  error,
});

/** Some programs decode an encoded word of RFC 2047 even within quotes, and show the text that it hides. */
const WITHOUT_ENCODED_WORDS: TextRule = {
  name: 'isWithoutEncodedWords',
  holds: (name) => !name.includes('=?'),
  error: NO_ENCODED_WORDS,
};

/** Body of PUT. */
class BrandDto {
  @TextField({ max: MAX_BRAND_NAME_LENGTH, rules: [...NAME_RULES, WITHOUT_ENCODED_WORDS], ...BRAND.name })
  name?: string;

  @TextField({
    max: MAX_BRAND_URL_LENGTH,
    nullable: true,
    read: canonicalSupport,
    rules: [unlessEmpty({ name: 'isSupport', holds: isSupport, error: NO_SUPPORT_URL })],
    ...BRAND.supportUrl,
  })
  supportUrl?: string | null;

  @TextField({
    max: MAX_BRAND_URL_LENGTH,
    nullable: true,
    read: canonicalPanel,
    rules: [unlessEmpty({ name: 'isPanel', holds: isPanel, error: NO_PANEL_URL })],
    ...BRAND.panelUrl,
  })
  panelUrl?: string | null;

  @TextField({
    max: 7,
    nullable: true,
    read: (text) => text.toLowerCase(),
    rules: [
      unlessEmpty({ name: 'isColour', holds: isColour, error: NO_COLOUR }),
      unlessEmpty({ name: 'carriesWhite', holds: carriesWhite, error: PALE_COLOUR }),
    ],
    ...BRAND.colour,
  })
  colour?: string | null;
}

/** Null clears a field, as an empty text does. */
const cleared = (value: string | null | undefined): string | undefined => (value === null ? EMPTY : value);

const updateBrandShape = updateShape(BrandDto, (dto): EveryField<BrandChanges> => ({
  name: dto.name,
  supportUrl: cleared(dto.supportUrl),
  panelUrl: cleared(dto.panelUrl),
  colour: cleared(dto.colour),
}));

class BrandResponse {
  @ResponseField({
    type: 'integer',
    description: 'The organisation that has the brand; with `nearest` one above, or the operator’s',
    example: 12,
  })
  organisationId!: number;

  @ResponseField(BRAND.name) name!: string;
  @ResponseField(BRAND.supportUrl) supportUrl!: string;
  @ResponseField(BRAND.panelUrl) panelUrl!: string;
  @ResponseField(BRAND.colour) colour!: string;
}

const toBrandResponse = (brand: OwnedBrand): BrandResponse => ({
  organisationId: brand.organisationId,
  name: brand.name,
  supportUrl: brand.supportUrl,
  panelUrl: brand.panelUrl,
  colour: brand.colour,
});

/** Parameter of the read. */
export const NEAREST = querySwitch({
  name: 'nearest',
  description:
    'The brand that mails to the organisation carry: that of the nearest organisation above it over reseller links, else the operator’s',
  maxLength: 5,
});

/** The request and response of a brand, equal in both variants. */
export class BrandsShapes {
  readonly update = updateBrandShape;
  readonly single = singleOf('brand', BrandResponse, toBrandResponse, {
    description: 'In whose name the people of the organisation get mails and pages',
  });
}
