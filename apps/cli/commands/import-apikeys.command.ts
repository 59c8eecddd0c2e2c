import { apiKeyImport } from '@app/apikeys/api-key-import';
import { commandHelp, type CommandLine } from '../command';
import { importOfNewRecords } from '../rows/new-records';
import { declareImport } from './import-command';

const HELP = commandHelp(
  'take over API keys as digests, so that programs go on with the keys they have',
  `Takes over API keys of users as their SHA-256: whoever holds a key goes on using it, and nobody else learns it.
A key may have any form of at most 256 characters. Nobody is mailed or notified.

Rows are written in transactions of 500. A bad row is named on standard error and keeps no other from being taken over.
After an interruption run the same command again: a key that is there already as its row says is done, one that is
there otherwise is named as a bad row.`,
  `Fields (columns of the csv header, or keys of each JSON object):
  username or userId
             exactly one: whose key it is
  name       required
  digest     required; the SHA-256 of the key as 64 hex digits: printf %s "$KEY" | sha256sum
  whitelist  addresses and CIDR ranges separated by commas or semicolons, or a JSON array; any address if empty
  expires    Unix seconds, at most API_KEY_TTL from now on; so long if empty

Examples:
  $ npm run cli -- import-apikeys apikeys.csv --dry-run
  $ npm run cli -- import-apikeys apikeys.csv 2> refused.txt`,
);

export const declareImportApiKeys = (cli: CommandLine): void =>
  declareImport(cli, {
    name: 'import-apikeys',
    help: HELP,
    rows: ({ settings, isTrial }) => importOfNewRecords(apiKeyImport(settings.apiKeyTtl), isTrial),
    tables: ['api_keys'],
    alone: { lock: 7_218_450_014, what: 'API keys' },
  });
