import { JobRunner } from '@app/core/jobs/job-runner';
import type { TestService } from './service';

/** Does every job of the service that is due. Tests run without a worker unless `settings: { worker: true }` asks for one. */
export const runJobs = (service: TestService): Promise<void> => service.app.get(JobRunner).runDue();
