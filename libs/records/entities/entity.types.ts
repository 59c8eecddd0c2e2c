import type { MailDomain, TeamEntityKind } from '@app/people/teams/team.types';

/** The kinds of entities in the register and its import. */
export const ENTITY_KINDS = ['app', 'domain', 'mailgroup', 'system'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** Names of the kinds in paths and responses. */
export const KIND_IN_PATHS = {
  app: 'apps',
  domain: 'domains',
  mailgroup: 'mailgroups',
  system: 'systems',
} as const satisfies Readonly<Record<EntityKind, TeamEntityKind>>;

/** An entity of an import. */
export interface ImportedEntity {
  readonly kind: EntityKind;
  /** Identifier in the area of the panel that manages the entity. */
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  /** Only for mail groups. */
  readonly domains?: readonly MailDomain[];
}

/** Body of PUT. Undefined domains do not change. */
export type EntityInput = Pick<ImportedEntity, 'name' | 'organisationId' | 'domains'>;
