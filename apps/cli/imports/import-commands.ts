import { InvalidArgumentError, Option } from 'commander';
import type { Settings } from '@app/config/settings';
import { ensureOperatorOrganisation } from '@app/people/organisations/organisation.types';
import { secretsKeyOf } from '@app/security/secrets/encryption';
import type { CommandRun } from '../database';
import type { ImportKind, RowKind, RowWriter } from './import-kind';

/** Options that a kind reads. */
export interface OptionsOfKind {
  readonly contacts?: boolean;
}

export type AnyKind = ImportKind<unknown, unknown> | (RowKind<unknown> & RowWriter<unknown>);

/** A command that imports the rows of a file. It is called `import-` and its name. */
export interface ImportCommand {
  readonly text: string;
  /** The fields for `--help`, one line each. */
  readonly fields: string;
  /** Examples of the command line, without the common part. */
  readonly examples: readonly string[];
  readonly options?: readonly Option[];
  /** Loads the kind. Help does not need it. */
  readonly kind: (settings: Settings, options?: OptionsOfKind) => Promise<AnyKind>;
  /** Each stored row causes a mail: the operator says how many an hour. */
  readonly mails?: boolean;
  /** Runs first, except in a trial. */
  readonly begin?: (run: CommandRun) => Promise<void>;
  /** Tables whose statistics the planner needs again after many new rows. */
  readonly tables: readonly string[];
  /**
   * An advisory lock, and what it protects: two such imports at once would take each
   * other's rows for repeated ones.
   */
  readonly alone?: { readonly lock: number; readonly what: string };
}

const IN_BATCHES = `Rows are written in transactions of 500. A bad row is reported on standard error and does not stop the others;
--refused writes all bad rows to a file with a column "reason", to be corrected and imported. After an interruption run
the same command again:`;
const REPEATED = `${IN_BATCHES} a record that exists with the values of its row counts as done, with other values as a
bad row.`;

export type ImportName =
  | 'organisations'
  | 'users'
  | 'contacts'
  | 'sshkeys'
  | 'apikeys'
  | 'entities'
  | 'grants'
  | 'teams'
  | 'invitations'
  | 'preferences';

/** By name, in the order of a migration from the previous panel. */
export const IMPORTS: Readonly<Record<ImportName, ImportCommand>> = {
  organisations: {
    text: `Imports organisations of the previous panel, which keep their identifiers; new organisations get higher ones.
The order of the rows does not matter. The whole tree is checked before anything is written: an organisation is refused if
its link leads to nothing, forms a circle or is too far from the operator organisation (32), and so is everything
beneath it.

${REPEATED}`,
    fields: `  id                    required; the organisation keeps it
  name, taxNumber       required
  parentOrganisation    id; the operator organisation (1) if empty
  resellerOrganisation  id; none if empty
  street, houseNumber, zip, city, country (NL)
  organisationType      1 Customer, 2 Reseller, 3 Operator; 1 if empty
  required2fa, testAccount, mustPayTax, pdfInvoice, updateEntitiesOnly, preventDeactivation, bundleProRata,
  peppolInvoicing, isSoft, prePaymentRequired
                        true or false; as of a new organisation if empty
  externalId, externalInfoRequired, information, agencyMode, pricegroup, paymentperiod, documentInterval, discount,
  commissionFactor, resellerKickback, defaultResellerKickback, source1, source2, remarksToPrintInvoice,
  beforeFirstOrder, nextInvoiceRun (Unix seconds), defaultAgreements (in csv as JSON text), invoiceDayMin, invoiceDayMax`,
    examples: ['organisations.csv --dry-run', 'organisations.csv --refused refused.csv'],
    kind: async () => (await import('./organisation-import.js')).organisationImport,
    begin: ({ ctx, transactions }) => transactions.run(ctx, ensureOperatorOrganisation),
    tables: ['organisations', 'organisation_closure'],
    alone: { lock: 7_218_450_011, what: 'organisations' },
  },
  users: {
    text: `Imports users of the previous panel. Each can log in with the old password; the first login replaces the old
hash with the service's own. A user whose name is an e-mail address gets it as a contact with all groups enabled.
Nobody is mailed or notified.

${IN_BATCHES} existing users do not change.`,
    fields: `  id                the user's number, which it keeps; a new one if empty
  organisationId    required; the organisation must exist
  username          required; an e-mail address, or a login name (Variant A keeps it, and takes none as a new name)
  firstName         required
  lastName          required
  passwordHash      required, or cp3Password: $1$, $5$, $6$, $2a$, $2b$ or $2y$
  language          nl, en or fr; nl if empty
  roles             names separated by commas or semicolons, or a JSON array; none if empty
  enabled           true or false; true if empty
  websiteOrderInfo  free text
  totpSecret        base32 (SHA-1, 6 digits, 30 seconds): the second factor is active; stored encrypted`,
    examples: [
      'accounts.csv --dry-run',
      'accounts.csv --refused refused.csv',
      'export.txt --format jsonl --json',
    ],
    options: [new Option('--no-contacts', 'do not add contacts: import-contacts imports them')],
    kind: async (settings, { contacts: withContacts = true } = {}) => {
      const { userImport } = await import('./user-import.js');
      return userImport(secretsKeyOf(settings), withContacts);
    },
    tables: ['users', 'contacts'],
    alone: { lock: 7_218_450_010, what: 'users' },
  },
  contacts: {
    text: `Imports the contacts of users, and of organisations themselves. Nobody is mailed or notified. import-users
makes each user's own address a contact with all groups: run it with --no-contacts where this file has that address too.

${REPEATED}`,
    fields: `  username, userId or organisationId
               exactly one: whose contact it is
  type         required; email, phone or slack
  name         required; the address
  preferences  groups that are enabled, separated by commas or semicolons; none if empty`,
    examples: ['contacts.csv --dry-run', 'contacts.csv --refused refused.csv'],
    kind: async () => (await import('./contact-import.js')).contactImport,
    tables: ['contacts'],
    alone: { lock: 7_218_450_012, what: 'contacts' },
  },
  sshkeys: {
    text: `Imports SSH keys of users, and of organisations themselves (deploy keys). Nobody is mailed or notified.

${REPEATED}`,
    fields: `  username, userId or organisationId
               exactly one: whose key it is
  content      required; one line in the form of OpenSSH
  description  the comment of the key, or its type and fingerprint, if empty`,
    examples: ['sshkeys.csv --dry-run', 'sshkeys.csv --refused refused.csv'],
    kind: async () => (await import('./ssh-key-import.js')).sshKeyImport,
    tables: ['ssh_keys'],
    alone: { lock: 7_218_450_013, what: 'SSH keys' },
  },
  apikeys: {
    text: `Imports API keys of users as their SHA-256: programs keep their keys, and nobody learns the values.
A key may have any form of at most 256 characters. Nobody is mailed or notified.

${REPEATED}`,
    fields: `  username or userId
             exactly one: whose key it is
  name       required
  digest     required; the SHA-256 of the key as 64 hex digits: printf %s "$KEY" | sha256sum
  whitelist  addresses and CIDR ranges separated by commas or semicolons, or a JSON array; any address if empty
  expires    Unix seconds, at most API_KEY_TTL from now on; that long if empty`,
    examples: ['apikeys.csv --dry-run', 'apikeys.csv --refused refused.csv'],
    kind: async ({ apiKeyTtl }) => (await import('./api-key-import.js')).apiKeyImport(apiKeyTtl),
    tables: ['api_keys'],
    alone: { lock: 7_218_450_014, what: 'API keys' },
  },
  entities: {
    text: `Updates the register of apps, domains, mail groups and systems that the entity overview shows. An entity that
exists with this kind and id is updated; with removed true it is removed, also from all teams. A bad row does not stop the
others.`,
    fields: `  kind            required; app, domain, mailgroup or system
  id              required; the entity's number in the area that manages it
  name            required unless removed; of a domain with its extension
  organisationId  required unless removed; the organisation must exist
  removed         true for an entity that is gone; it needs only kind and id
  domains         of a mail group: a list (in csv as JSON text) of
                  {"id": 7, "name": "example", "mailPrimary": true, "domaintype": {"id": 1, "name": "nl", "extension": "nl"}}`,
    examples: ['entities.jsonl', 'entities.csv --dry-run'],
    kind: async () => (await import('./entity-import.js')).entityImport,
    tables: ['entities'],
  },
  grants: {
    text: `Imports grants between organisations: an organisation lets another one read it, or work on its records. A row
may be a record of acls of Variant B as it is. Nobody is mailed or notified.

${REPEATED}`,
    fields: `  id              the grant's number, which it keeps; a new one if empty
  organisationId  required, or objectId: the organisation that gives access
  granteeId       required, or organisation, a number or {"id": 7, "name": "…"} (in csv as JSON text): who receives it
  access          read or manage; read if empty
  expires         when it ends, in Unix seconds and in the future; it does not end by itself if empty
  object          organisation or empty: nothing else can be granted
  type            of acls; ignored
  permissions, extra
                  of acls: empty, or the row also has access, because the description gives no value a meaning`,
    examples: ['acls.jsonl --dry-run', 'grants.csv --refused refused.csv'],
    kind: async () => (await import('./grant-import.js')).grantImport,
    tables: ['acls'],
    alone: { lock: 7_218_450_015, what: 'grants' },
  },
  teams: {
    text: `Imports teams with their members and their records: apps, domains, mail groups and systems of the register. Import
users, entities and grants first. Nobody is mailed or notified.

${REPEATED}`,
    fields: `  id              the team's number, which it keeps; a new one if empty
  organisationId  required; the organisation must exist
  name            required; unique in the organisation
  autoAddSshkey   true or false; false if empty
  members         user names and ids of users of the organisation; digits alone are an id
  apps, domains, mailgroups, systems
                  ids of records that the organisation owns, or may read by a grant
                  Items of these lists are separated by commas or semicolons; in JSON lines also an array`,
    examples: ['teams.csv --dry-run', 'teams.csv --refused refused.csv'],
    kind: async () => (await import('./team-import.js')).teamImport,
    tables: ['teams', 'team_members', 'team_entities'],
    alone: { lock: 7_218_450_016, what: 'teams' },
  },
  invitations: {
    text: `Imports open invitations. The links of the previous panel are dead: each invited person gets a new link by mail,
valid for INVITATION_TTL, and nobody else is mailed or notified. Run it with the settings of the service, which say where
the links lead.

With --per-hour the command runs until the last mail is queued. You can stop it with Ctrl-C, and run it again later: it
keeps its distance to the last mail, and an invitation whose id is there gets no mail again, also if it was used, changed
or withdrawn meanwhile. --refused writes all bad rows to a file with a column "reason".`,
    fields: `  id              required; the invitation keeps it
  organisationId  required; the organisation must exist
  email           required; the invited address, of no user
  firstName, lastName
                  required
  language        nl, en or fr; nl if empty
  autoRoles       names separated by commas or semicolons, or a JSON array; none if empty
  autoTeams       ids of teams of the organisation, as a list; none if empty
  inviter         the user name or id of who invited, and still manages the organisation; the organisation itself if empty`,
    examples: ['invitations.csv --dry-run', 'invitations.csv --per-hour 200'],
    options: [
      new Option(
        '--per-hour <mails>',
        'how many mails to send in an hour; needed without --dry-run',
      ).argParser(mailsAnHour),
    ],
    kind: async (settings) => (await import('./invitation-import.js')).invitationImport(settings),
    tables: ['invitations'],
    alone: { lock: 7_218_450_017, what: 'invitations' },
    mails: true,
  },
  preferences: {
    text: `Imports how users like the panel to look. Nobody is mailed or notified.

${REPEATED}`,
    fields: `  username or userId
             exactly one: whose preferences they are
  darkTheme  true or false; false if empty
  shortcuts  a list of objects (in csv as JSON text), at most 16,384 bytes, which the panel alone understands; none if empty`,
    examples: ['preferences.jsonl --dry-run', 'preferences.csv'],
    kind: async () => (await import('./preference-import.js')).preferenceImport,
    tables: ['user_preferences'],
    alone: { lock: 7_218_450_018, what: 'preferences' },
  },
};

const MOST_MAILS_AN_HOUR = 100_000;

function mailsAnHour(text: string): number {
  const mails = Number(text);
  if (!Number.isInteger(mails) || mails < 1 || mails > MOST_MAILS_AN_HOUR)
    throw new InvalidArgumentError(`It must be from 1 to ${MOST_MAILS_AN_HOUR}.`);
  return mails;
}
