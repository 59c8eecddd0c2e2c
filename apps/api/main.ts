import '@app/platform/process/required-node';
import '@app/platform/process/home-folder';
import { runProcess } from '@app/platform/process/run-process';
import { readCheckedSettings } from '@app/service/checked-settings';
import { startService } from './start-service';

void runProcess('account-api', async (stopWanted) => startService(await readCheckedSettings(), stopWanted));
