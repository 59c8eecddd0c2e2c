import { Injectable } from '@nestjs/common';
import { CleanUp } from '../jobs/clean-up';

@Injectable()
export class ThrottlingCleanUp extends CleanUp {
  readonly position = 20;
  readonly statements = [
    // Counts in use are left for the next time: waiting for them out of their order could be a deadlock.
    `DELETE FROM attempts WHERE bucket IN (
       SELECT bucket FROM attempts WHERE resets_at < now() FOR UPDATE SKIP LOCKED)`,
  ];
}
