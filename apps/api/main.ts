import '@app/platform/process/required-node';
import { createLogger } from '@app/platform/observability/logger';
import { isClusterWorker, receiveTask, tellPrimary } from '@app/platform/process/cluster-worker';
import { type RunningProcess, runProcess } from '@app/platform/process/run-process';
import { readCheckedSettings } from '@app/service/checked-settings';
import { readSettings } from '../../config/env';
import { serve } from './serve';
import { startServiceCluster } from './service-cluster';
import { startService } from './start-service';

if (isClusterWorker())
  void runProcess('account-api', startWorker, (line) => tellPrimary({ kind: 'worker.failed', line }));
else
  void runProcess('account-api', async (stopWanted) => {
    const settings = await readCheckedSettings();
    return settings.processes > 1
      ? startServiceCluster(settings, stopWanted)
      : startService(settings, stopWanted);
  });

async function startWorker(): Promise<RunningProcess> {
  const { databaseUrl, port, doesJobs } = await receiveTask();
  const own = { ...readSettings(), port, worker: doesJobs };
  const serving = await serve(own, databaseUrl, createLogger(own));
  await tellPrimary({ kind: 'worker.ready', port: serving.port });
  return serving;
}
