import type { MailDomain } from '@app/teams/mail-domain.types';
import type { TeamEntityKind } from '@app/teams/team.types';

/** Kinds of entities, as the register and its import name them. */
export const ENTITY_KINDS = ['app', 'domain', 'mailgroup', 'system'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** The same kinds, as paths and responses name them. */
export const KIND_IN_PATHS = {
  app: 'apps',
  domain: 'domains',
  mailgroup: 'mailgroups',
  system: 'systems',
} as const satisfies Readonly<Record<EntityKind, TeamEntityKind>>;

/** What an import says of one entity. */
export interface ImportedEntity {
  readonly kind: EntityKind;
  /** Identifier in the area that manages it. */
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  /** Of a mail group; left out for every other kind. */
  readonly domains?: readonly MailDomain[];
}
