import { runProcess } from '@app/platform/process/run-process';
import { readSettings } from '../../config/env';
import { startWorker } from './start-worker';

// `async`: runProcess then reports a wrong setting like any other start-up error.
void runProcess('account-worker', async () => startWorker(readSettings()));
