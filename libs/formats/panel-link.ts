/** Stands at the beginning of a template of links for the URL of the panel. */
export const PANEL = '{panel}';

/**
 * The link with the URL of the panel, whose slash at the end does not count. Throws without one: a link that
 * leads nowhere is worse than a late mail.
 */
export function withPanel(link: string, panelUrl: string | undefined): string {
  if (!link.startsWith(PANEL)) return link;
  if (panelUrl === undefined)
    throw new Error(`A link begins with ${PANEL}, and no PANEL_URL says where that is`);
  return `${panelUrl.replace(/\/+$/, '')}${link.slice(PANEL.length)}`;
}

/** Whether links can begin with the URL: without user, query and fragment. */
export function carriesLinks(panelUrl: string): boolean {
  if (/[?#]/.test(panelUrl)) return false;
  const { username, password } = new URL(panelUrl);
  return username + password === '';
}
