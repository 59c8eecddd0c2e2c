import { Injectable, Module } from '@nestjs/common';

/** The time, only for TOTP codes: the database's clock, which all nodes share, decides what has expired. Tests replace `now`. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}

@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
