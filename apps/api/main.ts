import { runProcess } from '@app/core/process/run-process';
import { readSettings } from '../../config/env';
import { startService } from './start-service';

// `async` so that a wrong setting is told like everything else that goes wrong at start.
void runProcess('account-api', async () => startService(readSettings()));
