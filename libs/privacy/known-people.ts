import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '@app/platform/context/request-context';
import { Transactions } from '@app/platform/database/transactions';
import type { Person } from '@app/lifecycle/personal-data';
import { AUDIT_RANGE, AuditTraces } from './audit-traces';
import { patternOf, PersonWords } from './person-words';

/** A user that matches a request. */
export interface Candidate {
  readonly id: number;
  readonly username: string;
  readonly organisationId: number;
  readonly deletedAt: Date | null;
}

/** A person with its traces in the audit log. */
export interface KnownPerson {
  readonly person: Person;
  readonly traces: AuditTraces;
  /** The last row of the audit log that was read. */
  readonly lastRow: number;
  /** Addresses and names that somebody else has too: they stay in texts. */
  readonly shared: readonly string[];
}

const BY_NAME = `
  SELECT id, username, organisation_id AS "organisationId", deleted_at AS "deletedAt"
  FROM users WHERE lower(username) = lower($1) ORDER BY id`;
const BY_ID = `
  SELECT id, username, organisation_id AS "organisationId", deleted_at AS "deletedAt" FROM users WHERE id = $1`;

const OWN_WORDS = `
  SELECT username, first_name, last_name, organisation_id AS "organisationId",
    ARRAY(SELECT name FROM contacts WHERE user_id = users.id) AS contacts,
    ARRAY(SELECT former_name FROM name_restorations WHERE user_id = users.id) AS "formerNames"
  FROM users WHERE id = $1`;

/**
 * Words of other people. A deleted user of the same name counts as the same person. A contact of an organisation may be
 * the person's address, but only the organisation may change it.
 */
const SHARED = `
  SELECT word FROM unnest($2::text[]) AS listed (word)
  WHERE EXISTS (SELECT 1 FROM users WHERE id <> $1 AND deleted_at IS NULL AND lower(username) = word)
    OR EXISTS (SELECT 1 FROM users WHERE id <> $1 AND organisation_id = $3 AND deleted_at IS NULL
      AND lower(first_name || ' ' || last_name) = word)
    OR EXISTS (SELECT 1 FROM contacts WHERE user_id IS DISTINCT FROM $1 AND lower(name) = word)
  ORDER BY word`;

/** Finds users by name or id, and the words that name a person in texts. */
@Injectable()
export class KnownPeople {
  constructor(private readonly transactions: Transactions) {}

  /** Users with a name or an id, deleted ones too. */
  candidates(
    ctx: RequestContext,
    wanted: { readonly username: string } | { readonly id: number },
  ): Promise<Candidate[]> {
    return this.transactions.run(ctx, (manager) =>
      'id' in wanted ? manager.query(BY_ID, [wanted.id]) : manager.query(BY_NAME, [wanted.username]),
    );
  }

  /** Reads the whole audit log for present and former names. */
  async know(ctx: RequestContext, id: number): Promise<KnownPerson> {
    const traces = new AuditTraces(id);
    const lastRow = await this.read(ctx, (manager) => AuditTraces.last(manager));
    for (const [from, to] of rangesOf(lastRow)) {
      await this.read(ctx, (manager) => traces.findRecords(manager, from, to));
    }
    const words = new PersonWords();
    const organisationId = await this.read(ctx, (manager) => addOwnWords(manager, id, words));
    await this.read(ctx, (manager) => traces.addWords(manager, words));
    const all = [...words.usernames, ...words.addresses, ...words.names];
    const shared = await this.read(ctx, (manager) =>
      manager.query<{ word: string }[]>(SHARED, [id, all, organisationId]),
    );
    const own = words.without(new Set(shared.map(({ word }) => word)));
    const addresses = [...own.addresses];
    for (const [from, to] of rangesOf(lastRow)) {
      await this.read(ctx, (manager) => traces.findInvitations(manager, addresses, from, to));
    }
    const person: Person = {
      id,
      organisationId,
      usernames: [...own.usernames],
      addresses,
      everywhere: patternOf(addresses),
      within: patternOf([...addresses, ...[...own.usernames, ...own.names].filter(isLongEnough)]),
    };
    return { person, traces, lastRow, shared: shared.map(({ word }) => word) };
  }

  private read<Result>(
    ctx: RequestContext,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.run(ctx, work, { isLong: true });
  }
}

/** Shorter names occur in any text. */
const isLongEnough = (name: string): boolean => name.length >= 3;

/** Splits the ids after `after` up to `last` into ranges of one statement each. */
export function* rangesOf(last: number, after = 0): Generator<readonly [number, number]> {
  for (let from = after + 1; from <= last; from += AUDIT_RANGE) {
    yield [from, Math.min(last, from + AUDIT_RANGE - 1)];
  }
}

/** Returns the organisation of the user. */
async function addOwnWords(manager: EntityManager, id: number, words: PersonWords): Promise<number> {
  const [row] = await manager.query<{ organisationId: number; contacts: string[]; formerNames: string[] }[]>(
    OWN_WORDS,
    [id],
  );
  if (row === undefined) throw new Error(`There is no user ${id}`);
  words.addUser({ ...row });
  for (const contact of row.contacts) words.addAddress(contact);
  for (const name of row.formerNames) words.addUsername(name);
  return row.organisationId;
}
