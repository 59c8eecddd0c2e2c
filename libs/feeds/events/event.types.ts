import type { ActorType } from '@app/feeds/audit/audited-act.queries';

/** The kinds of records whose changes are events (decisions.md 12.7). */
export const EVENT_KINDS = [
  'organisations',
  'users',
  'contacts',
  'teams',
  'invitations',
  'sshkeys',
  'apikeys',
  'servicekeys',
  'acls',
  'suspensions',
  'documents',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export const EVENT_VERBS = ['created', 'updated', 'deleted'] as const;

export type EventVerb = (typeof EVENT_VERBS)[number];

export type EventType = `${EventKind}.${EventVerb}`;

/** A committed change of a record, as one organisation may know it. */
export interface AccountEvent {
  /** The entry of the audit log. Later events have larger ids; the feed goes on after one. */
  readonly id: number;
  readonly kind: EventKind;
  readonly verb: EventVerb;
  readonly at: Date;
  /** The organisation of the record. */
  readonly organisationId: number;
  /** The grantee of a grant, or the suspended organisation. */
  readonly recordId: number;
  /** `id` is 0 for an actor that the organisation may not know, or that has no record. */
  readonly actor: { readonly type: ActorType; readonly id: number };
  /** Names of the fields that a creation set or an update changed. None that only admins see. */
  readonly changed: readonly string[];
}

/** An event, and an organisation of its audience. */
export interface AudienceEvent {
  readonly toOrganisationId: number;
  /** The record belongs to an organisation beneath `toOrganisationId`. */
  readonly isBeneath: boolean;
  /** The actor as `toOrganisationId` may know it. */
  readonly event: AccountEvent;
}

/** Events after a position, in their order, and the position to go on from. */
export interface SweptEvents {
  /** An event has one row for each organisation of its audience: its own, and those above it when it happened. */
  readonly told: readonly AudienceEvent[];
  readonly position: number;
}

/** The events that were committed at one moment. */
export interface EventPast {
  /** All up to this one. */
  readonly settled: number;
  /** Some after it: transactions that began before them are open. */
  readonly overtaking: readonly number[];
}

/** Which part of the feed of an organisation to read. */
export interface FeedRequest {
  readonly after: number;
  readonly limit: number;
  /** Include events of organisations beneath. */
  readonly beneath: boolean;
}

/** A part of the feed, oldest first. */
export interface FeedPage {
  readonly events: readonly AccountEvent[];
  /** Cursor of the next page, on the last page too. */
  readonly next: number;
}
