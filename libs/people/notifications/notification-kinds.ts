import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { OperatorError } from '@app/config/operator-errors';
import type { NotificationGroup } from './notification.types';
import type { NotificationInput, NotificationKind, Phrase } from './notification-kind';

/** The records of a domain, as a provider of its module (`NotificationsModule.forFeature`). */
export class DeclaredKinds {
  constructor(readonly kinds: readonly NotificationKind[]) {}
}

/** What mails say of a kind. Of one that a client posted, only group and type are known. */
export type DescribedKind = Pick<NotificationKind, 'group' | 'type'> &
  Partial<
    Pick<
      NotificationKind,
      | 'heading'
      | 'sentence'
      | 'toUser'
      | 'params'
      | 'advice'
      | 'urgency'
      | 'cause'
      | 'isLetter'
      | 'isNamedInSubject'
    >
  >;

interface StoredKind {
  readonly entityClass: string;
  readonly type: string;
  readonly group: NotificationGroup;
}

/** Ends the start in one line. */
class KindDeclaredTwice extends OperatorError {
  constructor(name: string) {
    super(`Two records declare the kind of notification ${name}`);
  }
}

/** The kinds of notifications of all domains, found in Nest's registry of providers. */
@Injectable()
export class NotificationKinds implements OnModuleInit {
  private readonly byName = new Map<string, NotificationKind>();
  private readonly allParams: Record<string, Phrase> = {};

  constructor(private readonly discovery: DiscoveryService) {}

  get all(): readonly NotificationKind[] {
    return [...this.byName.values()];
  }

  /** Words for the params of all kinds: what a client posts under the name of a kind may have any param. */
  get params(): Readonly<Record<string, Phrase>> {
    return this.allParams;
  }

  onModuleInit(): void {
    const declared = this.discovery
      .getProviders()
      .map(({ instance }): unknown => instance)
      .filter((instance) => instance instanceof DeclaredKinds);
    for (const kind of declared.flatMap(({ kinds }) => kinds)) {
      const name = nameOf(kind);
      if (this.byName.has(name)) throw new KindDeclaredTwice(name);
      this.byName.set(name, kind);
      Object.assign(this.allParams, kind.params);
    }
  }

  /** The record of a stored notification, or what is known of one that a client posted. */
  of({ group, type, entityClass }: StoredKind): DescribedKind {
    return this.byName.get(nameOf({ type, entityClass })) ?? { group, type };
  }

  /**
   * Throws for a notification that lacks what its kind asks for, or has what the kind has no words or readers
   * for. A kind that no module declares has no mails.
   */
  assertFits(
    kind: NotificationKind,
    { aboutUserId, params = {}, extraRecipients }: Partial<NotificationInput>,
  ): void {
    const name = nameOf(kind);
    if (this.byName.get(name) !== kind) throw new Error(`No module declares the kind ${name}`);
    if (kind.recipients.includes('user') && aboutUserId === undefined)
      throw new Error(`${name} tells a user: the notification has to say whom`);
    const unknown = Object.keys(params).find((param) => !Object.hasOwn(kind.params ?? {}, param));
    if (unknown !== undefined) throw new Error(`${name} has no word for ${unknown}`);
    const hasAddresses = kind.recipients.some((one) => one === 'removedAddress' || one === 'invited');
    if (hasAddresses !== (extraRecipients !== undefined))
      throw new Error(
        `${name} tells ${hasAddresses ? 'addresses, which the notification lacks' : 'no addresses of its own'}`,
      );
  }
}

const nameOf = ({ entityClass, type }: Pick<NotificationKind, 'entityClass' | 'type'>): string =>
  `${entityClass}.${type}`;
