import { Any, type EntityManager } from 'typeorm';
import { differences } from '@app/core/imports/import-fields';
import { absent, present, refused, type Finding, type ImportKind } from '@app/core/imports/import-kind';
import { insertRows } from '@app/core/imports/insert-rows';
import { arrangeOrganisations, type TreeNode } from './organisation-import-order';
import {
  importName,
  ORGANISATION_IMPORT_FIELDS,
  readOrganisationImportRow,
  type ImportedOrganisation,
} from './organisation-import-row';
import { Organisation } from './organisation.entity';
import { ORGANISATION_CONSTRAINT_ERRORS } from './organisations.errors';

const ALL_LINKS = `SELECT id, parent_id AS "parentId", reseller_id AS "resellerId", deleted_at IS NOT NULL AS "isDeleted"
  FROM organisations`;

const messageOf = (constraint: string): string => ORGANISATION_CONSTRAINT_ERRORS[constraint]?.message ?? '';

/** Organisations of the previous panel, which keep their identifiers. */
export const organisationImport: ImportKind<ImportedOrganisation, ImportedOrganisation> = {
  name: 'organisations',
  table: 'organisations',
  fields: ORGANISATION_IMPORT_FIELDS,
  read: readOrganisationImportRow,
  uniqueIn: ({ id }) => [['id', String(id)]],
  idOf: ({ id }) => id,
  async arrange(manager, rows) {
    const nodes = await manager.query<(TreeNode & { isDeleted: boolean })[]>(ALL_LINKS);
    const deleted = nodes.filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
    return arrangeOrganisations(
      rows,
      nodes.filter(({ isDeleted }) => !isDeleted),
      new Set(deleted),
    );
  },
  find,
  insert: (manager, organisations) => insertRows(manager, Organisation, organisations),
  whenDifferent: 'refuse',
};

async function find(
  manager: EntityManager,
  rows: readonly ImportedOrganisation[],
): Promise<Finding<ImportedOrganisation>[]> {
  const stored = await manager.findBy(Organisation, { id: Any(rows.map(({ id }) => id)) });
  const storedById = new Map(stored.map((organisation) => [organisation.id, organisation]));
  const types = await identifiersOf(manager, 'SELECT identifier AS id FROM organisation_types');
  const priceGroups = await identifiersOf(manager, 'SELECT id FROM price_groups');
  return rows.map((row) => {
    const organisation = storedById.get(row.id);
    if (organisation !== undefined && organisation.deletedAt !== null) {
      return refused('id', 'The organisation of this id was deleted here.');
    }
    if (organisation !== undefined) return present(differences(row, organisation).map(importName));
    if (!types.has(row.organisationType)) {
      return refused('organisationType', messageOf('organisations_type_exists'));
    }
    if (!priceGroups.has(row.priceGroupId)) {
      return refused('pricegroup', messageOf('organisations_price_group_exists'));
    }
    return absent(row);
  });
}

async function identifiersOf(manager: EntityManager, query: string): Promise<ReadonlySet<number>> {
  const rows = await manager.query<{ id: number }[]>(query);
  return new Set(rows.map(({ id }) => id));
}
