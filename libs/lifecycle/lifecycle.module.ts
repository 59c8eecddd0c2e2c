import { Module } from '@nestjs/common';
import { Deletions } from './deletions';
import { Takeovers } from './takeovers';
import { UserEvents } from './user-events';

/** The actions of other domains after changes and deletions of users and organisations. */
@Module({ providers: [Deletions, Takeovers, UserEvents], exports: [Deletions, Takeovers, UserEvents] })
export class LifecycleModule {}
