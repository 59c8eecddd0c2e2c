import { commandHelp, type CommandLine } from '../command';
import { declareImport } from './import-command';
import { importEntityFile } from './import-entities';

const HELP = commandHelp(
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
);

export const declareImportEntities = (cli: CommandLine): void =>
  declareImport(cli, 'import-entities', HELP, importEntityFile);
