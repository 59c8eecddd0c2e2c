import { mailtoOf } from '@app/formats/email-address';
import type { Sender } from './sender';

/** What mails and pages show in place of the operator's own settings. An empty text: those stay. */
export interface Brand {
  readonly name: string;
  /** A page (`https://…`), or an e-mail address. */
  readonly supportUrl: string;
  /** Without a slash at its end. */
  readonly panelUrl: string;
  /** `#rrggbb`, on which white text is readable. */
  readonly colour: string;
  /** Stands in links to pages, which show this brand. */
  readonly linkKey: string;
}

/** Finds the brands of organisations. They are of a domain above mails, whose module binds it. */
export abstract class Brands {
  /**
   * The brand that mails to the people of the organisation carry now; null for people of none. Undefined if
   * the operator's settings alone say in whose name it mails.
   */
  abstract nearest(organisationId: number | null): Promise<Brand | undefined>;

  /** The brand whose key a link to a page has, else the operator's. */
  abstract ofLink(linkKey: string | undefined): Promise<Brand | undefined>;
}

/** The panel of the brand, else the given one of the operator: what `{panel}` in links stands for. */
export const panelOf = (brand: Brand | undefined, ofOperator: string | undefined): string | undefined =>
  brand === undefined || brand.panelUrl === '' ? ofOperator : brand.panelUrl;

/** The sender in the name of the brand. */
export function withBrand(sender: Sender, brand: Brand | undefined): Sender {
  if (brand === undefined) return sender;
  const { name, supportUrl, colour, linkKey } = brand;
  const isAddress = supportUrl !== '' && !supportUrl.startsWith('https:');
  return {
    timeZone: sender.timeZone,
    publicUrl: sender.publicUrl,
    pages: sender.pages,
    companyName: name,
    linkKey,
    supportUrl: supportUrl === '' ? sender.supportUrl : isAddress ? mailtoOf(supportUrl) : supportUrl,
    panelUrl: panelOf(brand, sender.panelUrl),
    ...(colour !== '' && { colour }),
    ...(isAddress && { replyTo: supportUrl }),
  };
}
