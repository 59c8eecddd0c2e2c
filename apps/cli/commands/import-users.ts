import { addFirstContact } from '@app/contacts/first-contact';
import { importUsers } from '@app/users/user-import';
import {
  readUserImportRow,
  USER_IMPORT_FIELDS,
  USER_IMPORT_REQUIRED,
  type ImportedUser,
} from '@app/users/user-import-row';
import { CommandFailed, type Outcome } from '../outcome';
import { RowImporter, type ImportRun, type RowImport, type RowVerdict } from '../rows/row-import';

/** Two imports at once would take each other's users for repeated rows. */
const IMPORT_LOCK = 7_218_450_010;

export interface ImportOptions {
  readonly ignoreUnknown: boolean;
}

/** Takes over users of the previous panel; those that an earlier run took over are left as they are. */
export async function importUserFile(run: ImportRun, { ignoreUnknown }: ImportOptions): Promise<Outcome> {
  const lock = run.database.dataSource.createQueryRunner();
  try {
    const [{ isLocked }] = (await lock.query(
      `SELECT pg_try_advisory_lock(${IMPORT_LOCK}) AS "isLocked"`,
    )) as [{ isLocked: boolean }];
    if (!isLocked) {
      throw new CommandFailed('another import of users runs on this database: wait until it has ended');
    }
    try {
      const [{ newest }] = (await lock.query('SELECT coalesce(max(id), 0) AS newest FROM users')) as [
        { newest: number },
      ];
      return await new RowImporter(userRows(newest, run.isTrial, ignoreUnknown), run).import();
    } finally {
      await lock.query(`SELECT pg_advisory_unlock(${IMPORT_LOCK})`).catch(() => undefined);
    }
  } finally {
    await lock.release();
  }
}

const userRows = (
  newestUserBefore: number,
  isTrial: boolean,
  ignoreUnknown: boolean,
): RowImport<ImportedUser> => ({
  columns: { known: USER_IMPORT_FIELDS, required: USER_IMPORT_REQUIRED, ignoreUnknown },
  read: (values) => readUserImportRow(values, !ignoreUnknown),
  store: async (manager, users) => {
    const verdicts = await importUsers(manager, users, { newestUserBefore, isTrial });
    const rowVerdicts: RowVerdict[] = [];
    for (const [position, verdict] of verdicts.entries()) {
      if (verdict.kind === 'refused') {
        rowVerdicts.push({ error: verdict.error });
        continue;
      }
      if (verdict.kind === 'created' && verdict.userId !== undefined) {
        await addFirstContact(manager, verdict.userId, users[position]?.username ?? '');
      }
      rowVerdicts.push(verdict.kind === 'created' ? 'stored' : 'kept');
    }
    return rowVerdicts;
  },
});
