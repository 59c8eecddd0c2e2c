import type { ActorType } from '@app/feeds/audit/audited-act.queries';

/** The kinds of records whose changes are events (rule events 1). */
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
  'brands',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export const EVENT_VERBS = ['created', 'updated', 'deleted'] as const;

export type EventVerb = (typeof EVENT_VERBS)[number];

export type EventType = `${EventKind}.${EventVerb}`;

/** A committed change of a record, masked for one organisation. */
export interface AccountEvent {
  /** The id of the row in the audit log. Later events have larger ids; it is also the cursor of the feed. */
  readonly id: number;
  readonly kind: EventKind;
  readonly verb: EventVerb;
  readonly at: Date;
  /** The organisation of the record. */
  readonly organisationId: number;
  /** The grantee of a grant, or the suspended organisation. */
  readonly recordId: number;
  /** `id` is 0 for an actor that is hidden from the organisation or has no record. */
  readonly actor: { readonly type: ActorType; readonly id: number };
  /** Names of the fields that a creation set or an update changed, without fields that only admins see. */
  readonly changed: readonly string[];
}

/** An event for one organisation of its audience. */
export interface AudienceEvent {
  readonly toOrganisationId: number;
  /** The record belongs to an organisation beneath `toOrganisationId`. */
  readonly isBeneath: boolean;
  /** The actor is masked for `toOrganisationId`. */
  readonly event: AccountEvent;
}

/** Events after a position in their order, and the next position. */
export interface SweptEvents {
  /**
   * One element for each organisation of an event's audience: the record's own, and
   * all that were above it then.
   */
  readonly events: readonly AudienceEvent[];
  readonly position: number;
}

/** The events that were committed at one moment. */
export interface EventSnapshot {
  /** All events up to this id are committed. */
  readonly settled: number;
  /** Ids of later committed events. An open transaction may still add an event before them. */
  readonly unsettledEventIds: readonly number[];
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
  /** Cursor of the next page. The last page has one too. */
  readonly next: number;
}
