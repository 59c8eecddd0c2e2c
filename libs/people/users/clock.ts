import { Injectable } from '@nestjs/common';

/**
 * The time for TOTP codes. Everything else expires by the database's clock, which all nodes
 * share. Tests replace `now`.
 */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
