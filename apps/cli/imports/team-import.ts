import type { EntityManager } from 'typeorm';
import { withAsciiDomain } from '@app/formats/email-domains';
import { Team, TeamEntity, TeamMember } from '@app/people/teams/team.entity';
import {
  TEAM_CONSTRAINT_ERRORS,
  TEAM_ENTITY_KINDS,
  TEAM_LIMITS,
  type TeamEntityKind,
} from '@app/people/teams/team.types';
import { isShownTo } from '@app/people/teams/team-reach';
import { BooleanField, IdentifierField, IntegerField, TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { NAME_RULES } from '@app/platform/dto/text-rules';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { MAX_IMPORTED_ID, newIds } from './identifiers';
import {
  differences,
  type Finding,
  importFields,
  type ImportKind,
  insertRows,
  readRow,
  reasonIn,
  storedRows,
} from './import-kind';
import { IdentifierListField, listed, UserListField, type UserReference } from './list-fields';
import { lockOwners } from './record-owners';
import { missingReferences } from './references';

/** The ids of a team's records, by kind. */
type RecordIds = Readonly<Record<TeamEntityKind, readonly number[]>>;

/** A team of the previous panel. */
interface ImportedTeam extends RecordIds {
  /** The former identifier, if the row has it. */
  readonly id: number | undefined;
  readonly organisationId: number;
  readonly name: string;
  readonly autoAddSshkey: boolean;
  /** Ids and names of users. */
  readonly members: readonly UserReference[];
}

/** A team to write. */
interface NewTeam extends Omit<ImportedTeam, 'members'> {
  readonly members: readonly number[];
}

/** One row of the file. The name follows the rules of the API. */
class TeamImportRow {
  @IntegerField({ min: 1, max: MAX_IMPORTED_ID }) id?: number;
  @IdentifierField({ declaredAs: 'integer', required: true }) organisationId!: number;
  @TextField({ max: 255, required: true, rules: NAME_RULES }) name!: string;
  @BooleanField({}) autoAddSshkey = false;
  @UserListField() members: UserReference[] = [];
  @IdentifierListField() apps: number[] = [];
  @IdentifierListField() domains: number[] = [];
  @IdentifierListField() mailgroups: number[] = [];
  @IdentifierListField() systems: number[] = [];
}

const shape = createShape(TeamImportRow, ({ members, ...row }): EveryField<ImportedTeam> => ({
  ...row,
  id: row.id,
  members: members.map((member) =>
    typeof member === 'string' ? withAsciiDomain(member).toLowerCase() : member,
  ),
}));

const COMPARED = {
  id: 'id',
  name: 'name',
  autoAddSshkey: 'autoAddSshkey',
  members: 'members',
  ...Object.fromEntries(TEAM_ENTITY_KINDS.map((kind) => [kind, kind])),
};

/** Teams of organisations, each with its members and its records. */
export const teamImport: ImportKind<ImportedTeam, NewTeam> = {
  table: 'teams',
  fields: importFields(shape, { identity: ['id', 'organisationId', 'name'] }),
  read: (values, strict) => readRow(shape, values, strict, []),
  uniqueIn: ({ id, organisationId, name }) => [
    ['name', `${organisationId} ${name.toLowerCase()}`],
    ...(id === undefined ? [] : [['id', String(id)] as const]),
  ],
  idOf: ({ id }) => id,
  references: ({ organisationId }) => ({ organisationId }),
  find,
  insert,
};

async function find(manager: EntityManager, rows: readonly ImportedTeam[]): Promise<Finding<NewTeam>[]> {
  const organisationIds = rows.map(({ organisationId }) => organisationId);
  const missing = await missingReferences(
    manager,
    rows.map(({ organisationId }) => ({ organisationId })),
  );
  const stored = await storedTeams(manager, rows);
  const users = await usersNamed(manager, rows);
  const outOfReach = await recordsOutOfReach(manager, rows);
  const used = await usedIds(manager, rows);
  const counts = await teamsOf(manager, organisationIds);
  return rows.map((row, place) => {
    const members = row.members.map((member) => users.get(member));
    const strangers = row.members.filter((_, at) => members[at]?.organisationId !== row.organisationId);
    // A row may name one user twice: by the id and by the name, or in two spellings of the name.
    const wanted = {
      ...row,
      members: [...new Set(members.map((user, at) => user?.id ?? String(row.members[at])))],
    };
    const there = stored.get(place);
    if (there !== undefined) return { differences: differences(COMPARED, wanted, there) };
    const faults = {
      ...missing[place],
      ...(row.id !== undefined && used.has(row.id) && { id: 'This id belongs to another team.' }),
      ...tooMany(row),
      ...(missing[place]?.['organisationId'] === undefined && {
        ...(strangers.length > 0 && { members: `Not a user of this organisation: ${listed(strangers)}.` }),
        ...outOfReach.get(place),
      }),
    };
    if (Object.keys(faults).length > 0) return { reason: reasonIn(faults) };
    const amount = {
      owner: String(row.organisationId),
      present: counts.get(row.organisationId) ?? 0,
      most: TEAM_LIMITS.ofOrganisation,
      message: messageOf('teams_limit_of_organisation'),
    };
    return {
      record: { ...row, members: wanted.members.map(Number) },
      amounts: [amount],
    };
  });
}

const messageOf = (constraint: string): string => TEAM_CONSTRAINT_ERRORS[constraint]?.message ?? '';

function tooMany(row: ImportedTeam): Record<string, string> {
  const records = TEAM_ENTITY_KINDS.flatMap((kind) => row[kind]).length;
  return {
    ...(row.members.length > TEAM_LIMITS.members && { members: messageOf('team_members_limit_of_team') }),
    ...(records > TEAM_LIMITS.records && { apps: messageOf('team_entities_limit_of_team') }),
  };
}

const RECORD_IDS = TEAM_ENTITY_KINDS.map(
  (kind) => `coalesce(
      (SELECT json_agg(object_id) FROM team_entities WHERE team_id = t.id AND kind = '${kind}'), '[]') AS ${kind}`,
).join(', ');

/** The teams with the names of the rows, by the place of the row. Members and records of each as ids. */
const STORED = `
  SELECT row.place::integer AS place, t.id, t.organisation_id AS "organisationId", t.name,
    t.auto_add_sshkey AS "autoAddSshkey", ${RECORD_IDS},
    coalesce((SELECT json_agg(user_id) FROM team_members WHERE team_id = t.id), '[]') AS members
  FROM unnest($1::integer[], $2::text[]) WITH ORDINALITY row (organisation_id, name, place)
  JOIN teams t ON t.organisation_id = row.organisation_id AND fold_case(t.name) = fold_case(row.name)`;

async function storedTeams(
  manager: EntityManager,
  rows: readonly ImportedTeam[],
): Promise<ReadonlyMap<number, NewTeam>> {
  const found = await manager.query<(NewTeam & { place: number })[]>(STORED, [
    rows.map(({ organisationId }) => organisationId),
    rows.map(({ name }) => name),
  ]);
  return new Map(found.map((team) => [team.place - 1, team]));
}

interface FoundUser {
  readonly id: number;
  readonly organisationId: number;
  readonly name: string;
}

const USERS = `
  SELECT id, organisation_id AS "organisationId", fold_case(username) AS name FROM users
  WHERE deleted_at IS NULL AND id = ANY ($1)
  UNION
  SELECT id, organisation_id, fold_case(username) FROM users
  WHERE deleted_at IS NULL AND fold_case(username) = ANY ($2)`;

/** Users by their ids and by their names. */
async function usersNamed(
  manager: EntityManager,
  rows: readonly ImportedTeam[],
): Promise<ReadonlyMap<UserReference, FoundUser>> {
  const named = [...new Set(rows.flatMap(({ members }) => members))];
  const users = await manager.query<FoundUser[]>(USERS, [
    named.filter((member) => typeof member === 'number'),
    named.filter((member) => typeof member === 'string'),
  ]);
  return new Map(
    users.flatMap((user): [UserReference, FoundUser][] => [
      [user.id, user],
      [user.name, user],
    ]),
  );
}

/** Records that a new team of the organisation may not hold (rule grants 36), as the route judges it. */
const OUT_OF_REACH = `
  SELECT asked.place, asked.kind, asked.object_id AS "objectId"
  FROM unnest($1::integer[], $2::integer[], $3::text[], $4::integer[]) asked (place, organisation_id, kind, object_id)
  CROSS JOIN LATERAL (SELECT NULL::integer AS id, asked.organisation_id) t
  WHERE NOT EXISTS (
    SELECT FROM entities r JOIN organisations owner ON owner.id = r.organisation_id AND owner.deleted_at IS NULL
    WHERE r.kind = left(asked.kind, -1) AND r.object_id = asked.object_id AND ${isShownTo('t')})
  ORDER BY asked.place, asked.kind, asked.object_id`;

/** Messages by field, by the place of the row. */
async function recordsOutOfReach(
  manager: EntityManager,
  rows: readonly ImportedTeam[],
): Promise<ReadonlyMap<number, Readonly<Record<string, string>>>> {
  const asked = rows.flatMap((row, place) => recordsOf(row).map((record) => ({ ...record, place, row })));
  const found = await manager.query<{ place: number; kind: TeamEntityKind; objectId: number }[]>(
    OUT_OF_REACH,
    [
      asked.map(({ place }) => place),
      asked.map(({ row }) => row.organisationId),
      asked.map(({ kind }) => kind),
      asked.map(({ objectId }) => objectId),
    ],
  );
  const ids = new Map<number, Partial<Record<TeamEntityKind, number[]>>>();
  for (const { place, kind, objectId } of found) {
    const byKind = ids.get(place) ?? {};
    byKind[kind] = [...(byKind[kind] ?? []), objectId];
    ids.set(place, byKind);
  }
  const messages = [...ids].map(([place, byKind]) => {
    const faults = Object.entries(byKind).map(([kind, missing]) => [
      kind,
      `This does not exist or is out of reach of the organisation: ${listed(missing)}.`,
    ]);
    return [place, Object.fromEntries(faults) as Record<string, string>] as const;
  });
  return new Map(messages);
}

const recordsOf = (row: RecordIds): { readonly kind: TeamEntityKind; readonly objectId: number }[] =>
  TEAM_ENTITY_KINDS.flatMap((kind) => row[kind].map((objectId) => ({ kind, objectId })));

async function usedIds(manager: EntityManager, rows: readonly ImportedTeam[]): Promise<ReadonlySet<number>> {
  const ids = rows.map(({ id }) => id).filter((id) => id !== undefined);
  const found = await storedRows(manager, Team, ['id'], 'id = ANY ($1)', [ids]);
  return new Set(found.map(({ id }) => id));
}

async function teamsOf(
  manager: EntityManager,
  organisationIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const counts = await manager.query<{ id: number; count: number }[]>(
    `SELECT organisation_id AS id, count(*)::integer AS count FROM teams
     WHERE organisation_id = ANY ($1) GROUP BY organisation_id`,
    [organisationIds],
  );
  return new Map(counts.map(({ id, count }) => [id, count]));
}

async function insert(manager: EntityManager, teams: readonly NewTeam[]): Promise<void> {
  await lockOwners(manager, {
    organisationIds: [...new Set(teams.map(({ organisationId }) => organisationId))],
    userIds: [...new Set(teams.flatMap(({ members }) => members))],
  });
  await lockRecords(manager, teams);
  const fresh = await newIds(manager, 'teams', teams.filter(({ id }) => id === undefined).length);
  const ids = teams.map(({ id }) => id ?? (fresh.pop() as number));
  const rowsOf = <Row extends object>(rows: (team: NewTeam) => readonly Row[]) =>
    teams.flatMap((team, place) => rows(team).map((row) => ({ teamId: ids[place] as number, ...row })));
  await insertRows(
    manager,
    Team,
    teams.map(({ organisationId, name, autoAddSshkey }, place) => ({
      id: ids[place] as number,
      organisationId,
      name,
      autoAddSshkey,
    })),
  );
  await insertRows(
    manager,
    TeamMember,
    rowsOf(({ members }) => members.map((userId) => ({ userId }))),
  );
  await insertRows(manager, TeamEntity, rowsOf(recordsOf));
}

const LOCK_RECORDS = `
  SELECT 1 FROM unnest($1::text[], $2::integer[]) asked (kind, object_id)
  JOIN entities r ON r.kind = left(asked.kind, -1) AND r.object_id = asked.object_id
  JOIN organisations owner ON owner.id = r.organisation_id AND owner.deleted_at IS NULL
  ORDER BY r.kind, r.object_id FOR SHARE OF r, owner`;

/** A concurrent removal of a record waits, and then takes it out of the new team too. */
async function lockRecords(manager: EntityManager, teams: readonly NewTeam[]): Promise<void> {
  const records = teams.flatMap(recordsOf);
  if (records.length === 0) return;
  const locked = await manager.query<unknown[]>(LOCK_RECORDS, [
    records.map(({ kind }) => kind),
    records.map(({ objectId }) => objectId),
  ]);
  if (locked.length < records.length)
    throw ValidationFailed.on('name', fieldError('DOES_NOT_EXIST', 'A record was removed at this moment.'));
}
