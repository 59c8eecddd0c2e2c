import type { Ordered } from '../discovery/ordered-providers';

/**
 * What the worker clears away every five minutes from the tables of one owner. A provider of any module that extends
 * this class is found by itself. Whether something still counts is judged where it is used; these only keep tables
 * small, so each may be late or missing.
 */
export abstract class CleanUp implements Ordered {
  abstract readonly position: number;

  /**
   * Each runs in a transaction of its own. One that works in batches gives a row in which `more` tells whether its
   * batch was full: it is run again then, for a while.
   */
  abstract readonly statements: readonly string[];
}
