import type { Origin } from '../concurrency/concurrency-limiter';

/**
 * Who asks for a password to be hashed. Origins take turns, so that whoever asks for much waits for itself; and each
 * gets a part of the queue only (64 may wait), so that there is a place left for the others.
 */

/** Most guesses of strangers from one network that run or wait: half of the queue. */
const MAX_OF_NETWORK = 32;
/** Most of one organisation: what its users ask for, and registrations with its invitations. */
const MAX_OF_ORGANISATION = 24;
/** Most of one user. */
const MAX_OF_USER = 16;

/** A guess at the password of a name, from a network that the name's user is not known to use. */
export const strangerAt = (network: string, name: string): Origin => ({
  turns: [`network ${network}`, name],
  shares: [{ key: `network ${network}`, maxPlaces: MAX_OF_NETWORK }],
});

/** A user who is logged in, or comes from where it has been before. */
export const userOf = (organisationId: number, userId: number): Origin => ({
  turns: [`organisation ${organisationId}`, `user ${userId}`],
  shares: [
    { key: `organisation ${organisationId}`, maxPlaces: MAX_OF_ORGANISATION },
    { key: `user ${userId}`, maxPlaces: MAX_OF_USER },
  ],
});

/** Somebody whom an organisation has invited. */
export const invitedBy = (organisationId: number): Origin => ({
  turns: [`organisation ${organisationId}`, 'invited'],
  shares: [{ key: `organisation ${organisationId}`, maxPlaces: MAX_OF_ORGANISATION }],
});
