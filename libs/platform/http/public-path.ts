import type { Settings } from '@app/config/settings';

/**
 * The path of `PUBLIC_URL`, such as `/account-api`; empty without one. The proxy in front takes it away, so
 * that no request shows it.
 */
export const publicPath = ({ publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  new URL(publicUrl).pathname.replace(/\/$/, '');
