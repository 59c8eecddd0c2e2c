import type { OrderOf } from '@app/core/paging/column-table';
import type { SSH_KEY_COLUMNS } from './ssh-key.columns';
import type { PublicKey } from './public-key';

/** Whose keys a path is about: a user's, or without a user the organisation's own (deploy keys). */
export interface KeyOwner {
  readonly organisationId: number;
  readonly userId?: number;
}

/** A key with everything that responses show. */
export interface SshKeyDetails {
  readonly id: number;
  readonly description: string;
  /** Type, base64 and comment on one line. */
  readonly content: string;
  readonly fingerprint: string;
  /** The owner, or the organisation of the user who owns it. */
  readonly organisation: { readonly id: number; readonly name: string };
}

/** What creation and change set. */
export interface SshKeyInput {
  readonly key: PublicKey;
  /** Undefined on creation: made from the key. */
  readonly description: string | undefined;
}

/** What lists of keys can be ordered by. */
export type SshKeyOrder = OrderOf<typeof SSH_KEY_COLUMNS>;
