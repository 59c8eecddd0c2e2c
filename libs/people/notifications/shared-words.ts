import type { Phrase } from './notification-kind';

/** Words for params that news of several domains have. */
export const REASON: Phrase = ['Reden', 'Reason', 'Motif'];
export const UNTIL: Phrase = ['Tot', 'Until', 'Jusqu’au'];
