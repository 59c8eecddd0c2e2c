import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { withAsciiDomain } from '@app/formats/email-domains';
import type { Person } from '@app/lifecycle/personal-data';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';
import { AUDIT_RANGE, AuditTraces } from './audit-traces';
import { ErasureRemains } from './erasure-remains';
import {
  type KnownWords,
  listsOf,
  patternOf,
  type PersonIdentifiers,
  PersonWords,
  wordsWithout,
} from './person-words';

/** A user that matches a request. */
export interface Candidate {
  readonly id: number;
  readonly roles: readonly string[];
  readonly username: string;
  readonly organisationId: number;
  readonly deletedAt: Date | null;
}

/** A person with its traces in the audit log. */
export interface KnownPerson {
  readonly person: Person;
  readonly traces: AuditTraces;
  /** The last audit log row that was read. */
  readonly lastRow: number;
  /** Addresses and names that others also have. They remain in texts. */
  readonly shared: readonly SharedWord[];
  /** All words, including shared ones. */
  readonly words: KnownWords;
  /** Finds what stays, by all words. */
  readonly searched: SearchedWords;
}

/** A word of the person in a record of another person. */
export interface SharedWord {
  readonly word: string;
  readonly table: string;
  readonly id: number;
  readonly organisationId: number;
}

const BY_ID = `
  SELECT id, username, roles, organisation_id AS "organisationId", deleted_at AS "deletedAt"
  FROM users WHERE id = ANY ($1::integer[]) ORDER BY id`;

/** Users who have a name or an address now. */
const NOW_KNOWN_AS = `
  SELECT id AS "userId" FROM users WHERE fold_case(username) = $1 OR fold_case(former_username) = $1
  UNION SELECT user_id FROM contacts WHERE fold_case(name) = $1 AND user_id IS NOT NULL`;

const OWN_WORDS = `
  SELECT username, username_verified, former_username, first_name, last_name, organisation_id AS "organisationId",
    ARRAY(SELECT name FROM contacts WHERE user_id = users.id) AS contacts
  FROM users WHERE id = $1`;

/**
 * Words of other people. A deleted user with the same name counts as the same person. A contact of an
 * organisation may be the person's address, but only the organisation may change it. An address that the
 * person has not verified ($4 has the verified ones) is that of whoever was invited by it.
 */
const SHARED = `
  SELECT fold_case(username) AS word, 'users' AS "table", id, organisation_id AS "organisationId" FROM users
  WHERE id <> $1 AND deleted_at IS NULL AND fold_case(username) = ANY ($2::text[])
  UNION
  SELECT fold_case(former_username), 'users', id, organisation_id FROM users
  WHERE id <> $1 AND deleted_at IS NULL AND fold_case(former_username) = ANY ($2::text[])
  UNION
  SELECT fold_case(first_name || ' ' || last_name), 'users', id, organisation_id FROM users
  WHERE id <> $1 AND deleted_at IS NULL AND organisation_id = $3
    AND fold_case(first_name || ' ' || last_name) = ANY ($2::text[])
  UNION
  SELECT fold_case(name), 'contacts', id, organisation_id FROM contacts
  WHERE user_id IS DISTINCT FROM $1 AND fold_case(name) = ANY ($2::text[])
  UNION
  SELECT fold_case(email), 'invitations', id, organisation_id FROM invitations
  WHERE fold_case(email) = ANY ($2::text[]) AND fold_case(email) <> ALL ($4::text[])
  ORDER BY word, "table", id`;

const INVITATION_IDS = 'SELECT id FROM invitations WHERE fold_case(email) = ANY ($1::text[])';

/**
 * What the search for remains looks for. Others may have the same words, so a person looks at what it finds.
 */
export interface SearchedWords {
  /** Pattern of addresses and whole names, for any text. */
  readonly anywhere: string;
  /** Pattern of the user names and all other names too, for texts of the person's organisation. */
  readonly within: string;
  /** Whole names in the form of `fold_case`, which may stand in two columns. */
  readonly wholeNames: readonly string[];
}

/** Finds users by name or id, and the words that name a person in texts. */
@Injectable()
export class KnownPeople {
  constructor(
    private readonly transactions: Transactions,
    private readonly remains: ErasureRemains,
  ) {}

  /**
   * The user with an id, or all users who have or had a user name or an address,
   * including deleted and erased ones.
   */
  async candidates(
    ctx: RequestContext,
    wanted: { readonly name: string } | { readonly id: number },
  ): Promise<Candidate[]> {
    const ids = 'id' in wanted ? [wanted.id] : await this.idsOf(ctx, withAsciiDomain(wanted.name.trim()));
    return this.read(ctx, (manager) => manager.query(BY_ID, [ids]));
  }

  private async idsOf(ctx: RequestContext, written: string): Promise<number[]> {
    const name = await this.read(ctx, (manager) => folded(manager, written));
    const now = await this.read(ctx, (manager) => manager.query<{ userId: number }[]>(NOW_KNOWN_AS, [name]));
    const found = now.map(({ userId }) => userId);
    found.push(...(await this.read(ctx, (manager) => this.remains.usersKnownAs(manager, name))));
    const last = await this.read(ctx, (manager) => AuditTraces.last(manager));
    for (const [from, to] of rangesOf(last)) {
      found.push(...(await this.read(ctx, (manager) => AuditTraces.usersKnownAs(manager, name, from, to))));
    }
    return found;
  }

  /** Reads the whole audit log for present and former names. */
  async load(ctx: RequestContext, id: number): Promise<KnownPerson> {
    const traces = new AuditTraces(id);
    const lastRow = await this.read(ctx, (manager) => AuditTraces.last(manager));
    for (const [from, to] of rangesOf(lastRow)) {
      await this.read(ctx, (manager) => traces.findRecords(manager, from, to));
    }
    const written = new PersonWords();
    const { organisationId, isVerified } = await this.read(ctx, (manager) =>
      addOwnWords(manager, id, written),
    );
    await this.read(ctx, (manager) => traces.addWords(manager, written, isVerified));
    const kept = await this.read(ctx, (manager) => this.remains.of(manager, id));
    if (kept !== undefined) written.addKnown(kept);
    const words = await this.read(ctx, (manager) => written.folded(manager));
    const all = [...words.usernames, ...words.addresses, ...words.names];
    const shared = await this.read(ctx, (manager) =>
      manager.query<SharedWord[]>(SHARED, [id, all, organisationId, [...words.verified]]),
    );
    const own = wordsWithout(words, new Set(shared.map(({ word }) => word)));
    const addresses = [...own.verified];
    const invitations = await this.read(ctx, (manager) =>
      manager.query<{ id: number }[]>(INVITATION_IDS, [addresses]),
    );
    const invitationIds = new Set(invitations.map((invitation) => invitation.id));
    for (const [from, to] of rangesOf(lastRow)) {
      const found = await this.read(ctx, (manager) => traces.findInvitations(manager, addresses, from, to));
      for (const { recordId } of found) invitationIds.add(recordId);
    }
    const person: Person = {
      id,
      organisationId,
      usernames: [...own.usernames],
      addresses,
      everywhere: patternOf(addresses),
      within: patternOf([...own.addresses, ...[...own.usernames, ...own.names].filter(isLongEnough)]),
      named: patternOf([...own.addresses, ...[...own.names].filter(isWholeName)]),
      invitationIds: [...invitationIds],
    };
    return { person, traces, lastRow, shared, words: listsOf(words), searched: searchedIn(words) };
  }

  private read<Result>(
    ctx: RequestContext,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.run(ctx, work, { isLong: true });
  }
}

/** Shorter names occur in every text. */
const isLongEnough = (name: string): boolean => name.length >= 3;

/** Other people may have the same first or last name. */
const isWholeName = (name: string): boolean => name.includes(' ');

function searchedIn({ addresses, names, usernames }: PersonIdentifiers): SearchedWords {
  const wholeNames = [...names].filter(isWholeName);
  return {
    anywhere: patternOf([...addresses, ...wholeNames]),
    within: patternOf([...addresses, ...[...usernames, ...names].filter(isLongEnough)]),
    wholeNames,
  };
}

/** Splits the ids after `after` up to `last` into ranges, one for each statement. */
export function* rangesOf(last: number, after = 0): Generator<readonly [number, number]> {
  for (let from = after + 1; from <= last; from += AUDIT_RANGE) {
    yield [from, Math.min(last, from + AUDIT_RANGE - 1)];
  }
}

/** As PostgreSQL compares it. */
async function folded(manager: EntityManager, text: string): Promise<string> {
  const [row] = await manager.query<[{ folded: string }]>('SELECT fold_case($1) AS folded', [text]);
  return row.folded;
}

/** Returns the organisation of the user, and whether the present name is verified. */
async function addOwnWords(
  manager: EntityManager,
  id: number,
  words: PersonWords,
): Promise<{ organisationId: number; isVerified: boolean }> {
  const [row] = await manager.query<
    { organisationId: number; username_verified: boolean; contacts: string[] }[]
  >(OWN_WORDS, [id]);
  if (row === undefined) throw new Error(`There is no user ${id}`);
  const { organisationId, username_verified: isVerified } = row;
  words.addUser({ ...row }, isVerified);
  for (const contact of row.contacts) words.addAddress(contact);
  return { organisationId, isVerified };
}
