import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NotificationKind } from '@app/people/notifications/notification-kind';

const LIBS = join(__dirname, '../../../libs');

export interface NamedKind {
  /** For example `Webhook.new`. */
  readonly name: string;
  readonly kind: NotificationKind;
}

const isKind = (value: unknown): value is NotificationKind =>
  typeof value === 'object' && value !== null && 'entityClass' in value && 'heading' in value;

/**
 * The kinds of notifications in the files `*.notifications.ts` of all domains, also those that no module
 * declares.
 */
export const DECLARED_KINDS: readonly NamedKind[] = readdirSync(LIBS, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.notifications.ts'))
  .flatMap((path) => Object.values(jest.requireActual<Record<string, object>>(join(LIBS, path))))
  .flatMap((exported) => Object.values(exported).filter(isKind))
  .map((kind) => ({ name: `${kind.entityClass}.${kind.type}`, kind }))
  .sort((one, other) => (one.name < other.name ? -1 : 1));

export function kindNamed(wanted: string): NotificationKind {
  const found = DECLARED_KINDS.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`No file declares the kind ${wanted}`);
  return found.kind;
}
