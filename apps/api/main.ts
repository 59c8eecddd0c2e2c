import { isGroupMember } from '@app/core/process-group/group-member';
import { runProcess } from '@app/core/process/run-process';
import { readSettings } from '../../config/env';
import { runMember } from './run-member';
import { startProcessGroup } from './process-group';
import { startService } from './start-service';

// `async` so that a wrong setting is told like everything else that goes wrong at start.
if (isGroupMember()) void runMember();
else
  void runProcess('account-api', async () => {
    const settings = readSettings();
    return settings.processes > 1 ? startProcessGroup(settings) : startService(settings);
  });
