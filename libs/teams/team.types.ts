import type { OrderOf } from '@app/core/paging/column-table';
import type { TEAM_COLUMNS } from './team.columns';
import type { MailDomain } from './mail-domain.types';
import type { Role } from '@app/core/access/roles';

/** What a team can work on, as paths and responses name the kinds. */
export const TEAM_ENTITY_KINDS = ['apps', 'domains', 'mailgroups', 'systems'] as const;

export type TeamEntityKind = (typeof TEAM_ENTITY_KINDS)[number];

/** A user in a team. */
export interface TeamMemberDetails {
  /** The user's id. */
  readonly id: number;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
  readonly enabled: boolean;
  readonly membershipId: number;
}

/** That an app, domain, mail group or system is one of a team. */
export interface TeamEntityTie {
  /** Id of the tie between team and object. */
  readonly id: number;
  readonly kind: TeamEntityKind;
  readonly objectId: number;
}

/** An app, domain, mail group or system of a team. */
export interface TeamEntityDetails extends TeamEntityTie {
  /** Empty where the register of entities no longer has the object in reach of the team's organisation. */
  readonly name: string;
  /** Of a mail group; null for every other kind, and where the register has no such object in reach. */
  readonly domains: readonly MailDomain[] | null;
}

/** A team as responses show it. */
export interface TeamDetails {
  readonly id: number;
  readonly name: string;
  readonly adminOnly: boolean;
  readonly autoAddSshkey: boolean;
  readonly users: readonly TeamMemberDetails[];
  readonly entities: readonly TeamEntityDetails[];
}

/** What lists of teams can be ordered by. */
export type TeamOrder = OrderOf<typeof TEAM_COLUMNS>;

/** Body of POST and PUT; undefined stays as it is, or false on POST. */
export interface TeamInput {
  readonly name: string;
  readonly autoAddSshkey?: boolean;
}

/** Body of `POST …/teams/{teamId}/{apps|domains|mailgroups|systems}`. */
export interface TeamEntityInput {
  readonly objectId: number;
}
