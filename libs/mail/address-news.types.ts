/** How a mail of news counts at its address: as news of what a user does to the own account, or as other news. */
export type NewsKind = 'account' | 'other';

/** The news that an address gets no more of in this hour. */
export type NewsEnd = 'accounts' | 'all';

/** What becomes of a mail of news: it is held back, it is sent, or it is the last one that is sent. */
export type NewsVerdict = 'held' | 'open' | NewsEnd;
