import { randomInt } from 'node:crypto';
import type { Json } from './scenario';

/** An entity as the register takes it. */
interface RegisteredEntity {
  readonly kind: keyof typeof ENTITY_PATHS;
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  readonly domains?: readonly {
    readonly id: number;
    readonly name: string;
    readonly mailPrimary: boolean;
    readonly domaintype: { readonly id: number; readonly name: string; readonly extension: string };
  }[];
}

/** Where admins put each kind into the register, below `/entities`. */
export const ENTITY_PATHS = {
  app: 'apps',
  domain: 'domains',
  mailgroup: 'mailgroups',
  system: 'systems',
} as const;

/** Far above what other areas have counted to: an id that is in the register already would be moved to the run. */
const [LEAST_ID, END_OF_IDS] = [2 ** 30, 2 ** 31 - 1] as const;

const newId = (): number => randomInt(LEAST_ID, END_OF_IDS);

/** One entity of each kind. */
export function newEntities(): {
  readonly ids: Readonly<Record<string, Json>>;
  of(organisationId: number): readonly RegisteredEntity[];
} {
  const ids = { appId: newId(), domainId: newId(), mailgroupId: newId(), systemId: newId() };
  const domaintype = { id: 1, name: 'Netherlands', extension: 'nl' };
  const domains = [{ id: ids.domainId, name: 'example', mailPrimary: true, domaintype }];
  return {
    ids,
    of: (organisationId) => [
      { kind: 'app', id: ids.appId, name: 'shop', organisationId },
      { kind: 'domain', id: ids.domainId, name: 'example.nl', organisationId },
      { kind: 'mailgroup', id: ids.mailgroupId, name: 'post', organisationId, domains },
      { kind: 'system', id: ids.systemId, name: 'web1', organisationId },
    ],
  };
}
