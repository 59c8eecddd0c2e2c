import { createLogger } from '@app/platform/observability/logger';
import { isClusterWorker, receiveTask, tellPrimary } from '@app/platform/process/cluster-worker';
import { type RunningProcess, runProcess } from '@app/platform/process/run-process';
import { readSettings } from '../../config/env';
import { serve } from './serve';
import { startServiceCluster } from './service-cluster';
import { startService } from './start-service';

if (isClusterWorker())
  void runProcess('account-api', startWorker, (line) => tellPrimary({ kind: 'worker.failed', line }));
else
  // `async`: runProcess then reports a wrong setting like any other start-up error.
  void runProcess('account-api', async () => {
    const settings = readSettings();
    return settings.processes > 1 ? startServiceCluster(settings) : startService(settings);
  });

async function startWorker(): Promise<RunningProcess> {
  const { databaseUrl, port, doesJobs } = await receiveTask();
  const own = { ...readSettings(), port, worker: doesJobs };
  const serving = await serve(own, databaseUrl, createLogger(own));
  await tellPrimary({ kind: 'worker.ready', port: serving.port });
  return serving;
}
