import { roleSettingStatements } from '@app/core/database/role-settings';
import type { Database } from '../database';
import { EXIT, type Outcome } from '../outcome';

/** Gives the role its time limits, or says what that would run. */
export async function setRoleSettings({ dataSource }: Database, isTrial: boolean): Promise<Outcome> {
  const statements = await roleSettingStatements(dataSource);
  if (!isTrial) for (const statement of statements) await dataSource.query(statement);
  return {
    exitCode: EXIT.ok,
    report: { dryRun: isTrial, statements },
    lines: [
      isTrial ? 'Would run:' : 'Ran:',
      ...statements,
      'Connections that a pooler holds already keep what they have: RECONNECT in its console',
    ],
  };
}
