import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { withAsciiDomain } from '@app/formats/email-domains';
import type { Person } from '@app/lifecycle/personal-data';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';
import { AuditTraces, rangesOf } from './audit-traces';

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
}

const BY_ID = `
  SELECT id, username, roles, organisation_id AS "organisationId", deleted_at AS "deletedAt"
  FROM users WHERE id = ANY ($1::integer[]) ORDER BY id`;

/** Users who have a name or an address now. */
const NOW_KNOWN_AS = `
  SELECT id AS "userId" FROM users WHERE fold_case(username) = $1 OR fold_case(former_username) = $1
  UNION SELECT user_id FROM contacts WHERE fold_case(name) = $1 AND user_id IS NOT NULL`;

const ACCOUNT = `
  SELECT organisation_id AS "organisationId", username, username_verified AS "isVerified", former_username AS "formerName",
    array_remove(ARRAY[fold_case(username), fold_case(former_username)], NULL) AS usernames
  FROM users WHERE id = $1`;

/** The names of $2 that no user but $1 has, folded. */
const OF_NOBODY_ELSE = `
  SELECT DISTINCT fold_case(name) AS name FROM unnest($2::text[]) AS name
  WHERE NOT EXISTS (SELECT FROM users u
      WHERE u.id <> $1 AND u.deleted_at IS NULL AND fold_case(u.username) = fold_case(name))
    AND NOT EXISTS (SELECT FROM users u WHERE u.id <> $1 AND u.deleted_at IS NULL
      AND u.former_username IS NOT NULL AND fold_case(u.former_username) = fold_case(name))`;

const INVITATION_IDS = 'SELECT id FROM invitations WHERE fold_case(email) = ANY ($1::text[]) ORDER BY id';

interface Account {
  readonly organisationId: number;
  readonly username: string;
  readonly isVerified: boolean;
  readonly formerName: string | null;
  readonly usernames: readonly string[];
}

/** Finds users by name or id, and what is theirs in rows of others. */
@Injectable()
export class KnownPeople {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The user with an id, or all users who have or had a user name or an address, deleted ones too. Who was
   * erased is found by id alone.
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
    const last = await this.read(ctx, (manager) => AuditTraces.last(manager));
    for (const [from, to] of rangesOf(last)) {
      found.push(...(await this.read(ctx, (manager) => AuditTraces.usersKnownAs(manager, name, from, to))));
    }
    return found;
  }

  /** Reads the whole audit log for records of the person. */
  async load(ctx: RequestContext, id: number): Promise<KnownPerson> {
    const person = await this.read(ctx, (manager) => personOf(manager, id));
    const traces = new AuditTraces(id, person.verifiedNames, person.invitationIds);
    const lastRow = await this.read(ctx, (manager) => AuditTraces.last(manager));
    for (const [from, to] of rangesOf(lastRow)) {
      await this.read(ctx, (manager) => traces.findRecords(manager, from, to));
    }
    return { person, traces, lastRow };
  }

  private read<Result>(
    ctx: RequestContext,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.run(ctx, work, { isLong: true });
  }
}

async function personOf(manager: EntityManager, id: number): Promise<Person> {
  const [account] = await manager.query<Account[]>(ACCOUNT, [id]);
  if (account === undefined) throw new Error(`There is no user ${id}`);
  const { organisationId, username, isVerified, formerName, usernames } = account;
  const verified = [
    ...(isVerified ? [username] : []),
    ...(formerName === null ? [] : [formerName]),
    ...(await AuditTraces.formerVerifiedNames(manager, id, isVerified)),
  ];
  const own = await manager.query<{ name: string }[]>(OF_NOBODY_ELSE, [id, verified]);
  const verifiedNames = own.map(({ name }) => name);
  const invitations = await manager.query<{ id: number }[]>(INVITATION_IDS, [verifiedNames]);
  const invitationIds = invitations.map((invitation) => invitation.id);
  return { id, organisationId, usernames, verifiedNames, invitationIds };
}

/** As PostgreSQL compares it. */
async function folded(manager: EntityManager, text: string): Promise<string> {
  const [row] = await manager.query<[{ folded: string }]>('SELECT fold_case($1) AS folded', [text]);
  return row.folded;
}
