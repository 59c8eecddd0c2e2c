interface Help {
  /** In the list of commands. */
  readonly summary: string;
  readonly text: string;
  /** Fields and examples, after the options. */
  readonly after: string;
}

const command = (summary: string, text: string, after = ''): Help => ({
  summary,
  text: unwrapped(text),
  after,
});

/** Paragraphs on one line each: commander breaks them to the width of the terminal. */
export function unwrapped(text: string): string {
  return text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
}

/** What `--help` teaches of each command. */
export const HELP = {
  migrate: command(
    'bring the schema of the database up to date',
    `Brings the schema of the database up to date. The service does the same at each start; run it before that to see
a migration through by hand. Safe beside running services and beside itself.`,
    `Examples:
  $ npm run cli -- migrate --dry-run      # name the migrations that would run
  $ npm run cli -- migrate`,
  ),
  'create-admin': command(
    'create a user who may do everything',
    `Creates a user of the operator organisation with ROLE_ADMIN, and that organisation where it is missing. Without a
password one is made up and shown once. A password must satisfy the rules of both variants: 9 to 29 characters with a
digit, a capital letter and a special character, without spaces, colons and quotes.`,
    `Examples:
  $ npm run cli -- create-admin --username jan@operator.example
  $ npm run cli -- create-admin --username jan@operator.example --password-stdin < password.txt`,
  ),
  'import-users': command(
    'take over users of the previous panel with their password hashes',
    `Takes over users of the previous panel. Each can log in with the old password; the first login replaces the old
hash with the service's own. A user whose name is an e-mail address gets it as a contact with all groups enabled.
Nobody is mailed or notified.

Rows are written in transactions of 500. A bad row is named on standard error and keeps no other from being taken over.
After an interruption run the same command again: users who are there already stay as they are.`,
    `Fields (columns of the csv header, or keys of each JSON object):
  organisationId    required; the organisation must exist
  username          required; an e-mail address, or a login name (served by Variant B only)
  firstName         required
  lastName          required
  passwordHash      required, or cp3Password: $1$, $5$, $6$, $2a$, $2b$ or $2y$
  language          nl, en or fr; nl if empty
  roles             names separated by commas or semicolons, or a JSON array; none if empty
  enabled           true or false; true if empty
  websiteOrderInfo  free text

Examples:
  $ npm run cli -- import-users accounts.csv --dry-run
  $ npm run cli -- import-users accounts.csv 2> refused.txt
  $ npm run cli -- import-users export.txt --format jsonl --json`,
  ),
  'import-entities': command(
    'bring the register of apps, domains, mail groups and systems up to date',
    `Takes apps, domains, mail groups and systems into the register that the entity overview shows. An entity whose kind
and id are there already is updated; none is ever removed. A bad row keeps no other from being taken over.`,
    `Fields (columns of the csv header, or keys of each JSON object):
  kind            required; app, domain, mailgroup or system
  id              required; the entity's number in the area that manages it
  name            required; of a domain with its extension
  organisationId  required; the organisation must exist
  domains         of a mail group: a list (in csv as JSON text) of
                  {"id": 7, "name": "example", "mailPrimary": true, "domaintype": {"id": 1, "extension": "nl"}}

Examples:
  $ npm run cli -- import-entities entities.jsonl
  $ npm run cli -- import-entities entities.csv --dry-run`,
  ),
  'rotate-secrets': command(
    'encrypt stored secrets anew with the first key of SECRETS_KEY',
    `Encrypts whatever is stored under an older key of SECRETS_KEY anew with its first: TOTP secrets, and the links in
mails that wait to be sent. Safe while the service runs; after an interruption run it again.`,
    `To replace the key:
  1. SECRETS_KEY=new,old for every process of the service, and restart them
  2. SECRETS_KEY=new,old npm run cli -- rotate-secrets
  3. a quarter of an hour later, when no confirmation code of before step 1 is valid any more: SECRETS_KEY=new

Examples:
  $ npm run cli -- rotate-secrets --dry-run
  $ npm run cli -- rotate-secrets`,
  ),
  logins: command('list and revoke the logins of a user', 'Lists and revokes the logins of a user.'),
  list: command(
    'list where a user is logged in',
    'Lists the logins of a user that can still be used. Times are UTC.',
    `Example:
  $ npm run cli -- logins list jan@example.com`,
  ),
  revoke: command(
    'end logins of a user',
    `Ends all logins of a user, or one. It holds for the next request on every process. API keys are not affected, and a
user who knows the password can log in again: disable the user to prevent that.`,
    `Examples:
  $ npm run cli -- logins revoke jan@example.com
  $ npm run cli -- logins revoke jan@example.com --id 42`,
  ),
  audit: command(
    'show and export who changed what',
    `Shows who changed users, organisations, credentials, rights and grants: when (UTC), by which credential, from which
address, and the columns before and after; the newest change comes first. Secrets are not in the log, only that they
changed. With --json every change is a JSON object on a line of its own.`,
    `Examples:
  $ npm run cli -- audit --since 24h
  $ npm run cli -- audit --user jan@example.com --since 2026-11-01 --until 2026-12-01
  $ npm run cli -- audit --table users --record 42
  $ npm run cli -- audit --organisation 7 --csv organisation-7.csv`,
  ),
} as const satisfies Record<string, Help>;
