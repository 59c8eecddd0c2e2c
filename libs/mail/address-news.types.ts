/**
 * How a mail of news counts at its address: as news of what a user does to the own account, as other news, or
 * as a warning: that somebody stops hearing news, or that somebody guesses codes. Warnings count by their
 * kind, so that no other news hold them back.
 */
export type NewsKind = 'account' | 'other' | 'warning';

/**
 * The news that an address gets no more of in this hour: of accounts, all ordinary ones, or
 * those of the kind of the mail.
 */
export type NewsEnd = 'accounts' | 'all' | 'kind';

/** What becomes of a mail of news: it is held back, it is sent, or it is the last one that is sent. */
export type NewsVerdict = 'held' | 'open' | NewsEnd;
