import type { User } from '@app/people/users/user.entity';
import { type ConstraintError, type ConstraintErrors, limitReached } from '@app/platform/errors/api-error';

/** A domain of a mail group, as in the register of entities. */
export interface MailDomain {
  readonly id: number;
  /** The name without the extension. */
  readonly name: string;
  readonly mailPrimary: boolean;
  /** The register may have no name. */
  readonly domaintype: { readonly id: number; readonly name?: string; readonly extension: string };
}

/** The kinds of entities of a team, as in paths and responses. */
export const TEAM_ENTITY_KINDS = ['apps', 'domains', 'mailgroups', 'systems'] as const;

export type TeamEntityKind = (typeof TEAM_ENTITY_KINDS)[number];

/** The kinds in the interface description. */
export const ENTITY_WORDS: Readonly<Record<TeamEntityKind, string>> = {
  apps: 'an app',
  domains: 'a domain',
  mailgroups: 'a mail group',
  systems: 'a system',
};

/** A user in a team. */
export interface TeamMemberDetails extends Readonly<
  Pick<User, 'id' | 'username' | 'firstName' | 'lastName' | 'roles' | 'enabled'>
> {
  readonly membershipId: number;
}

/** The relation between a team and an app, domain, mail group or system. */
export interface TeamEntityTie {
  readonly id: number;
  readonly kind: TeamEntityKind;
  readonly objectId: number;
}

/** An app, domain, mail group or system of a team. */
export interface TeamEntityDetails extends TeamEntityTie {
  /**
   * Empty if the object is not in the register any more, or is out of reach of the team's organisation. For
   * who reads by a grant also if it belongs to a third organisation.
   */
  readonly name: string;
  /** Only mail groups have domains. Null for other kinds, and for objects out of reach. */
  readonly domains: readonly MailDomain[] | null;
}

/** Body of POST and PUT. Undefined means false on POST, and unchanged on PUT. */
export interface TeamInput {
  readonly name: string;
  readonly autoAddSshkey?: boolean;
}

/** Body of `POST …/teams/{teamId}/{apps|domains|mailgroups|systems}`. */
export interface TeamEntityInput {
  readonly objectId: number;
}

/**
 * Maximum teams of an organisation, and maximum members and entities of a team (docs/limits.md). Triggers of
 * the tables count them.
 */
export const TEAM_LIMITS = { ofOrganisation: 200, members: 10_000, records: 10_000 } as const;

const noLongerThere: ConstraintError = {
  reason: 'BAD_REQUEST',
  message: 'The team does not exist any more.',
};

export const TEAM_CONSTRAINT_ERRORS: ConstraintErrors = {
  teams_name_unique: { field: 'name', reason: 'ALREADY_TAKEN', message: 'This team exists already.' },
  teams_limit_of_organisation: limitReached(
    `An organisation has at most ${TEAM_LIMITS.ofOrganisation} teams.`,
  ),
  team_members_limit_of_team: limitReached(`A team has at most ${TEAM_LIMITS.members} members.`),
  team_entities_limit_of_team: limitReached(
    `A team has at most ${TEAM_LIMITS.records} apps, domains, mail groups and systems.`,
  ),
  team_members_team_exists: noLongerThere,
  team_entities_team_exists: noLongerThere,
};
