import { Injectable } from '@nestjs/common';

/** During a shutdown the process is not ready while it completes the running requests. */
@Injectable()
export class Readiness {
  private stopping = false;

  stop(): void {
    this.stopping = true;
  }

  get isStopping(): boolean {
    return this.stopping;
  }
}
