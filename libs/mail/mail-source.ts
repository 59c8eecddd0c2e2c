import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { WorkContext } from '@app/platform/context/work-context';
import type { JobPriority } from '@app/platform/jobs/job-priorities';
import type { Brand } from './brands';
import type { MailContent, MailLanguage } from './mail.types';
import type { MailOrigin } from './sender';

/** `stored`: rows of `mails`; `recipient`: notifications, by their recipients. */
export type MailSourceName = 'stored' | 'recipient';

/** The sources in the order in which a line takes their mails. */
const ORDER: readonly MailSourceName[] = ['stored', 'recipient'];

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
  readonly isClosed?: boolean;
  /** Gives nothing if the mail is not needed any more: it is skipped. */
  readonly write: (
    ctx: WorkContext,
    brand: Brand | undefined,
  ) => Promise<ReadyMail | undefined> | ReadyMail | undefined;
  /** Stores the outcome. After it nobody sends the mail again. */
  readonly recordOutcome: (ctx: WorkContext, outcome: MailOutcome) => Promise<void>;
}

/** How a mail counts (`MailBounds`). */
export type MailCounts =
  | { readonly as: 'free' }
  | {
      readonly as: 'notification';
      /** Absent: it counts for no kind. */
      readonly kind?: string;
      /** The user whom it tells of the own account. */
      readonly userId?: number;
      /** The address is no verified user name of the customer who causes it. */
      readonly isForeign: boolean;
    }
  /** An invitation, or a notification that people wrote. `isRedacted`: without their words. */
  | { readonly as: 'post'; readonly isRedacted: boolean };

/** A mail that waits in the line of a customer. */
export interface UnreleasedMail {
  readonly id: number;
  readonly address: string;
  /** The organisation that it is about. */
  readonly organisationId: number;
  readonly counts: MailCounts;
  /** What it opens is closed for now. */
  readonly isClosed?: boolean;
  readonly job: { readonly priority: JobPriority; readonly tries?: number; readonly key?: string };
}

/** What becomes of a mail that waits. */
export type MailVerdict =
  /** `isLast`: further mails of its kind to the address are skipped for now. */
  | { readonly outcome: 'leaves'; readonly isLast: boolean }
  | { readonly outcome: 'waits'; readonly seconds: number }
  | { readonly outcome: 'skipped'; readonly message: string };

export type MailWithVerdict = UnreleasedMail & MailVerdict;

/**
 * Where mails wait. A job names the source and the id of its mail and holds nothing of it. `MailSources`
 * finds each source that a module provides.
 */
export abstract class MailSource {
  abstract readonly name: MailSourceName;

  /** Locks the first mails of the line of the customer that may leave, and returns them in their order. */
  abstract unreleased(manager: EntityManager, customerId: number, most: number): Promise<UnreleasedMail[]>;

  /** Stores the verdicts. */
  abstract storeVerdicts(manager: EntityManager, mails: readonly MailWithVerdict[]): Promise<void>;

  /** When the next of those mails of the line may leave that wait for a time. */
  abstract nextTime(manager: EntityManager, customerId: number): Promise<Date | undefined>;

  /** Undefined if the mail was sent or withdrawn. */
  abstract find(id: number): Promise<WaitingMail | undefined>;
}

/** The sources of mails, by their names. */
@Injectable()
export class MailSources implements OnModuleInit {
  private readonly sources = new Map<string, MailSource>();

  constructor(private readonly discovery: DiscoveryService) {}

  get inOrder(): MailSource[] {
    return ORDER.map((name) => this.named(name));
  }

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
