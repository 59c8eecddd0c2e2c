import type { Setting } from '@app/config/setting';

type Groups = Readonly<Record<string, readonly Setting<unknown>[]>>;

/** The page with its tables printed anew. `defaults` are the values without any setting. */
export function settingsDocument(page: string, groups: Groups, defaults: object): string;

/** The text of .env.example. */
export function envExample(groups: Groups, defaults: object): string;
