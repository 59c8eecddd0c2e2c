import '@app/platform/process/required-node';
import '@app/platform/process/home-folder';
import { runProcess } from '@app/platform/process/run-process';
import { readCheckedSettings } from '@app/service/checked-settings';
import { startWorker } from './start-worker';

void runProcess('account-worker', async (stopWanted) => startWorker(await readCheckedSettings(), stopWanted));
