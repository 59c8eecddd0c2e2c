import type { Settings } from '../settings/settings';

/** Fills `{name}` in a URL template; values are encoded, so that none can become another part of the URL. */
function filled(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : encodeURIComponent(value);
  });
}

/** The link of a recovery mail; never made from a request's Host header (decisions.md section 5). */
export const resetLink = (template: string, token: string): string => filled(template, { token });

/** A link of a mail to a contact; `{contactId}` and `{hash}` are filled in. */
export const contactLink = (
  template: string,
  values: { readonly contactId: number; readonly hash: string },
): string => filled(template, values);

/** What an invitation link leads to. */
export interface InvitationLink {
  readonly token: string;
  readonly organisationId: number;
  readonly invitationId: number;
}

/** The link of an invitation mail. */
export const invitationLink = (
  { invitationUrlTemplate }: Pick<Settings, 'invitationUrlTemplate'>,
  { token, organisationId, invitationId }: InvitationLink,
): string => filled(invitationUrlTemplate, { token, organisationId, invitationId });
