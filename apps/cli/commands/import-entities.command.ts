import { commandHelp, type CommandLine } from '../command';
import { declareImport } from './import-command';
import { entityRows } from './import-entities';

const HELP = commandHelp(
  'bring the register of apps, domains, mail groups and systems up to date',
  `Takes apps, domains, mail groups and systems into the register that the entity overview shows. An entity whose kind
and id are there already is updated; with removed true it is taken out, also of all teams. A bad row keeps no other from
being taken over.`,
  `Fields (columns of the csv header, or keys of each JSON object):
  kind            required; app, domain, mailgroup or system
  id              required; the entity's number in the area that manages it
  name            required unless removed; of a domain with its extension
  organisationId  required unless removed; the organisation must exist
  removed         true for an entity that is gone; it needs kind and id alone
  domains         of a mail group: a list (in csv as JSON text) of
                  {"id": 7, "name": "example", "mailPrimary": true, "domaintype": {"id": 1, "name": "nl", "extension": "nl"}}

Examples:
  $ npm run cli -- import-entities entities.jsonl
  $ npm run cli -- import-entities entities.csv --dry-run`,
);

export const declareImportEntities = (cli: CommandLine): void =>
  declareImport(cli, { name: 'import-entities', help: HELP, rows: () => entityRows, tables: ['entities'] });
