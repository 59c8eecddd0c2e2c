import { createLogger } from '@app/core/logging/logger';
import { taskOfMember, tellPrimary } from '@app/core/process-group/group-member';
import { runProcess, type RunningProcess } from '@app/core/process/run-process';
import { readSettings } from '../../config/env';
import { serve } from './serve';

/** Runs this process as one of the group that the primary has started. */
export function runMember(): Promise<void> {
  return runProcess('account-api', startMember, (line) => tellPrimary({ kind: 'member.failed', line }));
}

async function startMember(): Promise<RunningProcess> {
  const settings = readSettings();
  const { databaseUrl, port, doesJobs } = await taskOfMember();
  const own = { ...settings, port, worker: doesJobs };
  const member = await serve(own, databaseUrl, createLogger(own));
  await tellPrimary({ kind: 'member.ready', port: member.port });
  return member;
}
