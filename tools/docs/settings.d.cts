import type { Setting } from '@app/config/setting';

type Groups = Readonly<Record<string, readonly Setting<unknown>[]>>;

/** The page with its lists printed anew. `defaults` are the values without any setting. */
export function settingsDocument(page: string, groups: Groups, defaults: object): string;

/** The text of .env.example. */
export function envExample(groups: Groups, defaults: object): string;

/** Where a page shows the settings of a first deployment, and what beside their names. */
interface FirstSettings {
  readonly heading: string;
  readonly column: 'Meaning' | 'Example';
}

/** The page with the table of a first deployment printed anew. */
export function firstSettings(page: string, place: FirstSettings, groups: Groups): string;

/** The text of deploy/systemd/common.env.example. */
export function systemdExample(groups: Groups): string;

/** The text of deploy/kubernetes/settings.yaml. */
export function kubernetesSettings(groups: Groups): string;
