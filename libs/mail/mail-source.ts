import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { WorkContext } from '@app/platform/context/work-context';
import type { Brand } from './brands';
import type { MailContent, MailLanguage } from './mail.types';
import type { MailPot } from './mail-budget';
import type { MailOrigin } from './sender';

/** `stored`: rows of `mails`; `recipient`: notifications, by their recipients. */
export type MailSourceName = 'stored' | 'recipient';

/** A mail to send now. */
export interface ReadyMail {
  readonly content: MailContent;
  readonly to: string;
  readonly language: MailLanguage;
  /** Where its links lead; absent: as the settings of this process say. */
  readonly origin?: MailOrigin | undefined;
  /** Letters, digits, dots and hyphens. The same at every try. */
  readonly id: string;
}

/** The final outcome of a mail. */
export interface MailOutcome {
  readonly status: 'sent' | 'failed' | 'skipped';
  /** The reason of a failure, otherwise empty. */
  readonly message: string;
}

/** A mail whose time has come. */
export interface WaitingMail {
  /** The organisation whose people it is written to, and whose brand it carries. Null: the operator's. */
  readonly organisationId: number | null;
  /** How often brands had changed when the mail was found. */
  readonly brandVersion: number;
  /** What it opens is closed for now: it waits for another hour. */
  readonly isHeld?: boolean;
  /** Gives nothing if the mail is not needed any more: it is skipped. */
  readonly write: (
    ctx: WorkContext,
    brand: Brand | undefined,
  ) => Promise<ReadyMail | undefined> | ReadyMail | undefined;
  /** Stores the outcome. After it nobody sends the mail again. */
  readonly settle: (ctx: WorkContext, outcome: MailOutcome) => Promise<void>;
}

/** Numbers of mails. Those that are neither were skipped. */
export interface ReleasedMails {
  readonly queued: number;
  /** They wait for another hour. */
  readonly held: number;
}

/**
 * Where mails wait. A job names the source and the id of its mail and holds nothing of it. `MailSources`
 * finds each source that a module provides.
 */
export abstract class MailSource {
  abstract readonly name: MailSourceName;

  /** Locks the oldest mails that wait for the pot of the organisation, and returns their ids in order. */
  abstract held(
    manager: EntityManager,
    organisationId: number,
    pot: MailPot,
    most: number,
  ): Promise<number[]>;

  /** Queues the jobs of these mails, without those that their addresses get no more of in this hour. */
  abstract release(
    manager: EntityManager,
    organisationId: number,
    ids: readonly number[],
  ): Promise<ReleasedMails>;

  /** Skips those that their addresses would not get in an hour. Returns their number. */
  skipBeyondHour(_manager: EntityManager, _organisationId: number, _ids: readonly number[]): Promise<number> {
    return Promise.resolve(0);
  }

  /** Undefined if the mail was sent or withdrawn. */
  abstract find(id: number): Promise<WaitingMail | undefined>;
}

/** The sources of mails, by their names. */
@Injectable()
export class MailSources implements OnModuleInit {
  private readonly sources = new Map<string, MailSource>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders() as readonly { readonly instance: unknown }[]) {
      if (instance instanceof MailSource) this.sources.set(instance.name, instance);
    }
  }

  /** Throws for a source of another build. */
  named(name: string): MailSource {
    const source = this.sources.get(name);
    if (source === undefined) throw new Error(`No mails wait in ${name}`);
    return source;
  }
}
