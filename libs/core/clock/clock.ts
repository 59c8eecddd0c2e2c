import { Injectable } from '@nestjs/common';

/**
 * The time that TOTP codes are judged by. Only they are: whatever expires is judged by the database's clock,
 * which all nodes share. Tests replace `now` of the running service's instance.
 */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
