import { runProcess } from '@app/core/process/run-process';
import { readSettings } from '../../config/env';
import { startWorker } from './start-worker';

// `async` so that a wrong setting is told like everything else that goes wrong at start.
void runProcess('account-worker', async () => startWorker(readSettings()));
