import type { Settings } from '@app/config/settings';
import { addressForPeople } from '@app/formats/email-domains';
import type { MailLanguage } from './mail.types';

/** The company in mails and pages, and the pages that they link to. */
export interface Sender extends Pick<
  Settings,
  'companyName' | 'supportUrl' | 'panelUrl' | 'publicUrl' | 'pages' | 'timeZone'
> {
  /** The colour of a brand. Absent: that of the service. */
  readonly colour?: string;
  /** The e-mail address of a brand to which answers go. */
  readonly replyTo?: string;
  /** The key of a brand for links to pages. */
  readonly linkKey?: string;
}

/** The parameter of links to pages that has the key of a brand. */
export const BRAND_PARAMETER = 'brand';

/** The link; if it leads to a page of this service, with the key of the sender's brand. */
export const pageLink = (
  link: string,
  { publicUrl, linkKey }: Pick<Sender, 'publicUrl' | 'linkKey'>,
): string =>
  linkKey !== undefined && link.startsWith(`${publicUrl}/account/`)
    ? `${link}?${BRAND_PARAMETER}=${linkKey}`
    : link;

/** The settings that links of mails are made of. */
export type MailOrigin = Pick<Sender, 'publicUrl' | 'pages' | 'panelUrl' | 'supportUrl'>;

/** Stored with each mail: all its links come from the process that queued it, whichever process writes it. */
export const originOf = ({ publicUrl, pages, panelUrl, supportUrl }: Sender): MailOrigin => ({
  publicUrl,
  pages,
  panelUrl,
  supportUrl,
});

/** The sender of a mail that was queued with `origin`; a mail of another build may have none. */
export const senderOf = (settings: Sender, origin: MailOrigin | undefined): Sender =>
  origin === undefined
    ? settings
    : {
        companyName: settings.companyName,
        timeZone: settings.timeZone,
        publicUrl: origin.publicUrl,
        pages: origin.pages,
        panelUrl: origin.panelUrl,
        supportUrl: origin.supportUrl,
      };

/** The text before the support address at the bottom of mails and pages. */
export const HELP: Readonly<Record<MailLanguage, string>> = {
  nl: 'Hulp nodig?',
  en: 'Need help?',
  fr: 'Besoin d’aide ?',
};

/** A support URL for readers: an e-mail address, or a page without its scheme. */
export const supportText = (url: string): string =>
  url.startsWith('mailto:')
    ? addressForPeople(decodeURIComponent(url.slice('mailto:'.length)))
    : url.replace(/^https?:\/\//, '').replace(/\/$/, '');
