import type { AuditedColumns } from './audit-entry.entity';

/** How customers see changes of one table. Columns that are not listed are hidden. */
export interface AuditKind {
  /** Name of the table in the API. */
  readonly kind: string;
  /** Columns that managers see, separated by spaces. */
  readonly shown: string;
  /** Columns that only admins see. */
  readonly adminOnly?: string;
  /** Internal columns, and columns that repeat another. */
  readonly hidden: string;
}

/** Every audited table. */
export const AUDIT_KINDS: Readonly<Record<string, AuditKind>> = {
  organisations: {
    kind: 'organisations',
    shown:
      'name tax_number parent_id reseller_id street house_number zip city country_code organisation_type ' +
      'external_info_required must_pay_tax remarks_to_print_invoice update_entities_only prevent_deactivation ' +
      'next_invoice_run required_2fa agency_mode bundle_pro_rata test_account before_first_order source1 source2 ' +
      'pdf_invoice peppol_invoicing is_soft information invoice_day_min invoice_day_max created_at deleted_at',
    adminOnly:
      'external_id payment_period document_interval commission_factor reseller_kickback default_reseller_kickback ' +
      'discount pre_payment_required default_agreements price_group_id',
    hidden: 'id',
  },
  users: {
    kind: 'users',
    shown:
      'username first_name last_name language roles enabled password_hash second_factor totp_secret grant_id invitation_id confirmed_at told_name name_given_by created_at deleted_at',
    adminOnly: 'website_order_information',
    hidden: 'id organisation_id renamed_at',
  },
  logins: {
    kind: 'logins',
    // Managers see the reason of a support login; only admins see its address and staff member.
    shown: 'user_id created_at expires_at address user_agent os browser country support_reason support_write',
    adminOnly: 'staff_id begun_with',
    hidden: 'id digest passkey_id',
  },
  passkeys: { kind: 'passkeys', shown: 'user_id name created_at gone_at', hidden: 'id' },
  second_factor_losses: { kind: 'secondFactorLosses', shown: 'user_id lost_at opens_at', hidden: 'id' },
  support_access: { kind: 'supportAccess', shown: 'access', hidden: 'id organisation_id' },
  api_keys: {
    kind: 'apikeys',
    shown: 'user_id name whitelist read_only created_at expires_at rotated_at',
    hidden: 'id digest second_factor_passed',
  },
  service_keys: {
    kind: 'servicekeys',
    shown: 'name operations reaches_beneath whitelist created_at expires_at rotated_at',
    adminOnly: 'as_admin',
    hidden: 'id organisation_id digest',
  },
  webhooks: {
    kind: 'webhooks',
    shown: 'url events reaches_beneath enabled sealed_secret created_at',
    hidden: 'id organisation_id',
  },
  trusted_devices: {
    kind: 'tokens2fa',
    shown: 'user_id created_at expires_at address user_agent os browser country',
    hidden: 'id digest',
  },
  recovery_codes: {
    kind: 'recoveryCodes',
    shown: 'user_id created_at used_at',
    hidden: 'id position sealed_digest',
  },
  recovery_requests: {
    kind: 'recoveryRequests',
    shown: 'user_id created_at expires_at code_used_at ended_at',
    hidden: 'id token_digest code_digest code_expires_at proves_name',
  },
  name_restorations: {
    kind: 'nameRestorations',
    shown: 'user_id former_name renamed_at expires_at ended_at',
    hidden: 'id token_digest',
  },
  name_proofs: {
    kind: 'nameProofs',
    shown: 'user_id created_at expires_at ended_at',
    hidden: 'id organisation_id token_digest',
  },
  ssh_keys: {
    kind: 'sshkeys',
    shown: 'user_id description type bits comment fingerprint created_at',
    hidden: 'id organisation_id key_digest second_factor_passed',
  },
  invitations: {
    kind: 'invitations',
    // The inviter may be a user of the operator. The actor of the row is the inviter, masked if the
    // reader may not know the user.
    shown:
      'email first_name last_name language auto_roles auto_teams grant_id created_at expires_at accepted_at deleted_at',
    adminOnly: 'inviter_id inviter_organisation_id',
    hidden: 'id organisation_id token_digest',
  },
  contacts: {
    kind: 'contacts',
    shown: 'user_id type name groups grant_id created_at',
    hidden: 'id organisation_id',
  },
  teams: { kind: 'teams', shown: 'name admin_only auto_add_sshkey created_at', hidden: 'id organisation_id' },
  team_members: { kind: 'teamMembers', shown: 'team_id user_id', hidden: 'id' },
  team_entities: { kind: 'teamEntities', shown: 'team_id kind object_id', hidden: 'id' },
  entities: { kind: 'entities', shown: 'kind object_id name domains', hidden: 'id organisation_id' },
  acls: {
    kind: 'acls',
    shown: 'grantee_id access only_teams created_at expires_at',
    adminOnly: 'giver_organisation_id',
    hidden: 'id organisation_id',
  },
  acl_teams: { kind: 'grantTeams', shown: 'acl_id team_id', hidden: 'id' },
  documents: {
    kind: 'documents',
    shown: 'name pdf_size xml_size pdf_sha256 xml_sha256 created_at sent_at',
    hidden: 'id organisation_id',
  },
  // Price groups belong to no organisation, so only admins see them.
  price_groups: { kind: 'pricegroups', shown: '', adminOnly: 'description', hidden: 'id' },
  suspensions: {
    kind: 'suspensions',
    // The state of the organisation has the suspending user and the reason, for readers who may see them.
    shown: 'itself beneath since',
    adminOnly: 'reason by_organisation_id by_user_id',
    hidden: 'id organisation_id',
  },
  variant_exemptions: {
    kind: 'variantExemptions',
    shown: 'beneath ends_at program',
    hidden: 'id organisation_id',
  },
  // Not a table: refusals, counted by minute.
  refusals: { kind: 'refusals', shown: 'reason count since until', adminOnly: 'name_digest', hidden: '' },
  test_clock: { kind: 'testClock', shown: 'moved_seconds', hidden: 'id' },
};

/** Columns whose name in the API is not the column name in camel case. */
const NAMES: Readonly<Record<string, string>> = {
  password_hash: 'password',
  price_group_id: 'pricegroup',
  country_code: 'country',
  auto_add_sshkey: 'autoAddSshkey',
  payment_period: 'paymentperiod',
  parent_id: 'parentOrganisation',
  reseller_id: 'resellerOrganisation',
  support_reason: 'reason',
  support_write: 'write',
  grantee_id: 'organisation',
  acl_id: 'grantId',
  giver_organisation_id: 'giverOrganisation',
  groups: 'preferences',
  beneath: 'withSubOrganisations',
  reaches_beneath: 'beneath',
  sealed_secret: 'secret',
  pdf_sha256: 'pdfSha256',
  xml_sha256: 'xmlSha256',
};

const camelCase = (column: string): string =>
  NAMES[column] ?? column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const columnsIn = (text = ''): readonly string[] => (text === '' ? [] : text.split(' '));

const namesOf = (columns: readonly string[]): ReadonlyMap<string, string> =>
  new Map(columns.map((column) => [column, camelCase(column)]));

const FIELDS = new Map(
  Object.entries(AUDIT_KINDS).map(([table, { shown, adminOnly }]) => [
    table,
    { managers: namesOf(columnsIn(shown)), admins: namesOf([...columnsIn(shown), ...columnsIn(adminOnly)]) },
  ]),
);

/** The kind of a table; an unlisted table keeps its own name. */
export const kindOf = (table: string): string => AUDIT_KINDS[table]?.kind ?? camelCase(table);

/** The tables whose kind passes a test. */
export const tablesOf = (passes: (kind: string) => boolean): string[] =>
  Object.entries(AUDIT_KINDS).flatMap(([table, { kind }]) => (passes(kind) ? [table] : []));

/** The columns that a reader may see, by their names in the API. */
export function fieldsShown(
  table: string,
  columns: AuditedColumns | null,
  readByAdmin: boolean,
): Readonly<Record<string, unknown>> | null {
  if (columns === null) return null;
  const fields = FIELDS.get(table);
  const names = readByAdmin ? fields?.admins : fields?.managers;
  return Object.fromEntries(
    Object.entries(columns).flatMap(([column, value]) => {
      const name = names?.get(column);
      return name === undefined ? [] : [[name, value]];
    }),
  );
}

/** The API names of the columns that managers may see. */
export const namesShown = (table: string, columns: readonly string[]): string[] =>
  columns.flatMap((column) => FIELDS.get(table)?.managers.get(column) ?? []);
