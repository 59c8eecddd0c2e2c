import { ensureOperatorOrganisation } from '@app/organisations/operator-organisation';
import { organisationImport } from '@app/organisations/organisation-import';
import { commandHelp, type CommandLine } from '../command';
import { importOfNewRecords } from '../rows/new-records';
import { declareImport } from './import-command';

const HELP = commandHelp(
  'take over organisations of the previous panel with their identifiers',
  `Takes over organisations of the previous panel, which keep their identifiers; new ones are numbered behind them.
Parents and resellers may come in any order, before or behind those that are linked to them. The whole tree is checked
before anything is written: an organisation whose link leads nowhere, in a circle or too far from the operator
organisation (32) is refused, and with it what lies beneath.

Rows are written in transactions of 500. A bad row is named on standard error and keeps no other from being taken over.
After an interruption run the same command again: an organisation that is there already as its row says is done, one
that is there otherwise is named as a bad row.`,
  `Fields (columns of the csv header, or keys of each JSON object), named as in the interface:
  id                    required; the organisation keeps it
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
  beforeFirstOrder, nextInvoiceRun (Unix seconds), defaultAgreements (in csv as JSON text), invoiceDayMin, invoiceDayMax

Examples:
  $ npm run cli -- import-organisations organisations.csv --dry-run
  $ npm run cli -- import-organisations organisations.csv 2> refused.txt`,
);

export const declareImportOrganisations = (cli: CommandLine): void =>
  declareImport(cli, {
    name: 'import-organisations',
    help: HELP,
    rows: ({ isTrial }) => importOfNewRecords(organisationImport, isTrial),
    begin: ({ transactions }) => transactions.run(ensureOperatorOrganisation),
    tables: ['organisations', 'organisation_closure'],
    alone: { lock: 7_218_450_011, what: 'organisations' },
  });
