import type { EntityManager } from 'typeorm';
import type { Settings } from '@app/config/settings';
import { withAsciiDomain } from '@app/formats/email-domains';
import { Outbox } from '@app/mail/outbox';
import { Invitation } from '@app/people/invitations/invitation.entity';
import { closeExpired } from '@app/people/invitations/invitation.rules';
import {
  EMAIL_OF_USER,
  INVITATION_CONSTRAINT_ERRORS,
  INVITATION_LIMITS,
} from '@app/people/invitations/invitation.types';
import { invitationMail, keyOfMail } from '@app/people/invitations/invitation-mail';
import { SHARE_TREE } from '@app/people/organisations/maker-above';
import { rolesOf, unknownRoles, validateRoles } from '@app/people/users/given-roles';
import { EmailField, PersonNameField } from '@app/people/users/shapes/user.decorators';
import { isUnavailable } from '@app/people/users/unavailable-names';
import { type Language, LANGUAGES } from '@app/people/users/user.types';
import { coerceInteger } from '@app/platform/dto/coercion';
import { field, IdentifierField, IntegerField, WordField } from '@app/platform/dto/field.decorators';
import { refusingAtOnce, Satisfies } from '@app/platform/dto/field-checks';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { errorsIn, fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import type { Role } from '@app/security/access/roles';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { secretsKeyOf, SecretsKeyring } from '@app/security/secrets/encryption';
import { MAX_IMPORTED_ID } from './identifiers';
import {
  differences,
  type Finding,
  importFields,
  type ImportKind,
  insertRows,
  listOfText,
  readRow,
  reasonIn,
} from './import-kind';
import { IdentifierListField, isUserReference, listed, type UserReference } from './list-fields';
import { lockOwners } from './record-owners';
import { missingReferences } from './references';
import { RolesField } from './user-import-row';

/** An open invitation of the previous panel. */
interface ImportedInvitation extends Pick<
  Invitation,
  'id' | 'organisationId' | 'email' | 'firstName' | 'lastName' | 'language' | 'autoRoles' | 'autoTeams'
> {
  /** The user who invited there; undefined: the organisation invites. */
  readonly inviter: UserReference | undefined;
}

/** An invitation to write and to mail. */
interface NewInvitation extends Omit<ImportedInvitation, 'inviter'> {
  readonly organisationName: string;
  readonly inviterName: string;
  readonly inviterId: number | null;
  readonly inviterOrganisationId: number | null;
  readonly madeByOrganisation: number | null;
}

const NO_USER = fieldError('WRONG_TYPE', 'This value should be a user name or the identifier of a user.');

/** One row of the file. It follows the rules of the API. */
class InvitationImportRow {
  @IntegerField({ min: 1, max: MAX_IMPORTED_ID, required: true }) id!: number;
  @IdentifierField({ declaredAs: 'integer', required: true }) organisationId!: number;
  @EmailField('The invited address') email!: string;
  @PersonNameField() firstName!: string;
  @PersonNameField() lastName!: string;
  @WordField({ words: LANGUAGES }) language: Language = 'nl';
  @RolesField() autoRoles: string[] = [];
  @IdentifierListField() autoTeams: number[] = [];

  @field(
    {},
    {
      emptyIsAbsent: true,
      coerce: coerceInteger,
      documentation: { type: 'string' },
      checks: [Satisfies('isUserReference', isUserReference, refusingAtOnce(NO_USER))],
    },
  )
  inviter?: UserReference;
}

function assertRolesKnown(roles: unknown): void {
  const names = Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
  const unknown = unknownRoles(names);
  if (unknown.length > 0) throw new ValidationFailed({ autoRoles: [...unknown] });
}

const shape = createShape(InvitationImportRow, (row): EveryField<ImportedInvitation> => {
  const { inviter, autoRoles } = row;
  assertRolesKnown(autoRoles);
  return {
    ...row,
    autoRoles: rolesOf(autoRoles),
    inviter: typeof inviter === 'string' ? withAsciiDomain(inviter).toLowerCase() : inviter,
  };
});

const COMPARED = Object.fromEntries(
  ['email', 'firstName', 'lastName', 'language', 'autoRoles', 'autoTeams'].map((name) => [name, name]),
);

/**
 * Open invitations of the previous panel. Each gets a new link and a mail with it, in the transaction that
 * writes it. The id says whether an invitation is there, in whatever state: nobody is mailed twice.
 */
export function invitationImport(settings: Settings): ImportKind<ImportedInvitation, NewInvitation> {
  const outbox = new Outbox(SecretsKeyring.parse(secretsKeyOf(settings)), settings);
  return {
    table: 'invitations',
    fields: importFields(shape, { identity: ['id', 'organisationId', 'email'] }),
    read: (values, strict) =>
      readRow(shape, values, strict, [() => assertRolesKnown(listOfText(values['autoRoles'] ?? ''))]),
    uniqueIn: ({ id, organisationId, email }) => [
      ['email', `${organisationId} ${email.toLowerCase()}`],
      ['id', String(id)],
    ],
    idOf: ({ id }) => id,
    references: ({ organisationId }) => ({ organisationId }),
    // Rows of bad form are named before the first mail leaves, and the time that is left can be told.
    arrange: (_, { rows, bad }) =>
      Promise.resolve({
        order: rows.map((_row, place) => place),
        refused: new Map(),
        missing: bad.map(() => ({})),
      }),
    inTrial: 'would be mailed a new link',
    find,
    insert: (manager, invitations) => insert(manager, invitations, settings, outbox),
  };
}

async function find(
  manager: EntityManager,
  rows: readonly ImportedInvitation[],
): Promise<Finding<NewInvitation>[]> {
  // A move that takes the reach of an inviter away waits for this transaction, or the other way round.
  await manager.query(SHARE_TREE);
  const missing = await missingReferences(
    manager,
    rows.map(({ organisationId }) => ({ organisationId })),
  );
  const stored = await storedById(manager, rows);
  const places = await placesOf(manager, rows);
  const inviters = await invitersOf(manager, rows);
  return rows.map((row, at) => {
    const there = stored.get(row.id);
    if (there !== undefined) {
      if (there.organisationId !== row.organisationId)
        return { reason: 'id: This id belongs to an invitation of another organisation.' };
      return { differences: there.isOpen ? differences(COMPARED, row, there) : [] };
    }
    const reason = reasonIn(missing[at] ?? {});
    if (reason !== '') return { reason };
    const { inviter, ...invitation } = row;
    const place = places[at] as Place;
    const found = inviters[at];
    const faults = faultsOf(row, place, found);
    if (Object.keys(faults).length > 0) return { reason: reasonIn(faults) };
    return {
      record: {
        ...invitation,
        organisationName: place.organisationName,
        inviterName: found?.name ?? place.organisationName,
        inviterId: found?.id ?? null,
        inviterOrganisationId: inviter === undefined ? row.organisationId : null,
        madeByOrganisation: found?.maker ?? null,
      },
      amounts: [
        {
          owner: String(row.organisationId),
          present: place.open,
          most: INVITATION_LIMITS.ofOrganisation,
          message: messageOf('invitations_limit_of_organisation'),
        },
      ],
    };
  });
}

const messageOf = (constraint: string): string => INVITATION_CONSTRAINT_ERRORS[constraint]?.message ?? '';

/** What the API would refuse, by field. */
function faultsOf(
  { inviter, autoRoles, autoTeams, organisationId }: ImportedInvitation,
  place: Place,
  found: FoundInviter | undefined,
): Record<string, string> {
  const noInviter = inviter !== undefined && !(found?.manages ?? false);
  const grantor = { roles: found?.roles ?? (['ROLE_CUSTADMIN'] as const) };
  const faultyRoles = noInviter ? undefined : validateRoles(grantor, organisationId, autoRoles);
  const unknownTeams = autoTeams.filter((id) => !place.teams.includes(id));
  return {
    ...(place.isUser && { email: EMAIL_OF_USER.message }),
    ...(place.isInvited && { email: messageOf('invitations_one_open') }),
    ...(noInviter && {
      inviter:
        found === undefined
          ? 'This user does not exist.'
          : 'This user does not manage the organisation: without an inviter the organisation itself invites.',
    }),
    ...(faultyRoles !== undefined && {
      autoRoles: errorsIn(faultyRoles)
        .map(({ message }) => message)
        .join(' '),
    }),
    ...(unknownTeams.length > 0 && {
      autoTeams: `Not a team of this organisation: ${listed(unknownTeams)}.`,
    }),
  };
}

interface StoredInvitation extends Omit<ImportedInvitation, 'inviter'> {
  readonly isOpen: boolean;
}

const STORED = `
  SELECT id, organisation_id AS "organisationId", email, first_name AS "firstName", last_name AS "lastName", language,
    auto_roles AS "autoRoles", auto_teams AS "autoTeams",
    accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now() AS "isOpen"
  FROM invitations WHERE id = ANY ($1)`;

async function storedById(
  manager: EntityManager,
  rows: readonly ImportedInvitation[],
): Promise<ReadonlyMap<number, StoredInvitation>> {
  const found = await manager.query<StoredInvitation[]>(STORED, [rows.map(({ id }) => id)]);
  return new Map(found.map((invitation) => [invitation.id, invitation]));
}

/** What is known about the organisation and the address of a row. */
interface Place {
  readonly organisationName: string;
  readonly teams: readonly number[];
  /** The open invitations of the organisation. */
  readonly open: number;
  readonly isInvited: boolean;
  readonly isUser: boolean;
}

const IS_OPEN = 'i.accepted_at IS NULL AND i.deleted_at IS NULL AND i.expires_at > now()';

const PLACES = `
  SELECT coalesce(o.name, '') AS "organisationName",
    ARRAY(SELECT t.id FROM teams t WHERE t.organisation_id = row.organisation_id) AS teams,
    (SELECT count(*)::integer FROM invitations i WHERE i.organisation_id = row.organisation_id AND ${IS_OPEN}) AS open,
    EXISTS (SELECT FROM invitations i WHERE i.organisation_id = row.organisation_id
      AND fold_case(i.email) = fold_case(row.email) AND ${IS_OPEN}) AS "isInvited",
    ${isUnavailable('row.email')} AS "isUser"
  FROM unnest($1::integer[], $2::text[]) WITH ORDINALITY row (organisation_id, email, place)
  LEFT JOIN organisations o ON o.id = row.organisation_id
  ORDER BY row.place`;

const placesOf = (manager: EntityManager, rows: readonly ImportedInvitation[]): Promise<Place[]> =>
  manager.query<Place[]>(PLACES, [
    rows.map(({ organisationId }) => organisationId),
    rows.map(({ email }) => email),
  ]);

/** A user who invited, with what the user may do for the organisation of the row now. */
interface FoundInviter {
  readonly id: number;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly manages: boolean;
  /** The organisation above without whose reach the invitation ends (rule organisations 26). */
  readonly maker: number | null;
}

/** The inviters of the rows, in their order; null where there is none. $4: the operator's organisation. */
const INVITERS = `
  SELECT CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.first_name || ' ' || u.last_name,
    'roles', u.roles,
    'manages', u.enabled AND ('ROLE_ADMIN' = ANY (u.roles) OR ('ROLE_CUSTADMIN' = ANY (u.roles)
      AND (u.organisation_id = row.organisation_id OR EXISTS (SELECT FROM organisation_closure
        WHERE ancestor_id = u.organisation_id AND descendant_id = row.organisation_id)))),
    'maker', CASE WHEN u.organisation_id NOT IN (row.organisation_id, $4) THEN u.organisation_id END) END AS inviter
  FROM unnest($1::integer[], $2::integer[], $3::text[]) WITH ORDINALITY row (organisation_id, id, name, place)
  LEFT JOIN LATERAL (
    SELECT * FROM users WHERE deleted_at IS NULL AND id = row.id
    UNION ALL
    SELECT * FROM users WHERE deleted_at IS NULL AND fold_case(username) = row.name) u ON true
  ORDER BY row.place`;

async function invitersOf(
  manager: EntityManager,
  rows: readonly ImportedInvitation[],
): Promise<(FoundInviter | undefined)[]> {
  const found = await manager.query<{ inviter: FoundInviter | null }[]>(INVITERS, [
    rows.map(({ organisationId }) => organisationId),
    rows.map(({ inviter }) => (typeof inviter === 'number' ? inviter : null)),
    rows.map(({ inviter }) => (typeof inviter === 'string' ? inviter : null)),
    OPERATOR_ORGANISATION,
  ]);
  return found.map(({ inviter }) => inviter ?? undefined);
}

async function insert(
  manager: EntityManager,
  invitations: readonly NewInvitation[],
  settings: Settings,
  outbox: Outbox,
): Promise<void> {
  const inviters = invitations.map(({ inviterId }) => inviterId).filter((id) => id !== null);
  await lockOwners(manager, {
    organisationIds: [...new Set(invitations.map(({ organisationId }) => organisationId))],
    userIds: [...new Set(inviters)],
  });
  const [{ expiresAt }] = await manager.query<[{ expiresAt: Date }]>(
    'SELECT now() + make_interval(secs => $1) AS "expiresAt"',
    [settings.invitationTtl],
  );
  for (const { organisationName, inviterName, ...columns } of invitations) {
    const token = newSecret();
    const { id, organisationId, email } = columns;
    await closeExpired(manager, organisationId, email);
    await insertRows(manager, Invitation, [{ ...columns, tokenDigest: digestOf(token), expiresAt }]);
    const mail = invitationMail(
      settings,
      { ...columns, organisationName, expiresAt },
      { inviterName, token },
    );
    await outbox.queue(manager, mail, keyOfMail(id));
  }
}
