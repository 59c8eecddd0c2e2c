import type { Bulkhead } from './bulkhead';
import { FairLimiter } from './fair-limiter';

/** The bulkheads of this process, which its services open. */
export class Bulkheads {
  private readonly limiters = new Map<string, FairLimiter>();

  /** @param connections of the pool for requests */
  constructor(private readonly connections = 1) {}

  /** The one limiter of a bulkhead. */
  open(bulkhead: Bulkhead): FairLimiter {
    const known = this.limiters.get(bulkhead.name) ?? new FairLimiter(bulkhead, this.connections);
    if (known.bulkhead !== bulkhead) throw new Error(`Two bulkheads have the name ${bulkhead.name}`);
    this.limiters.set(bulkhead.name, known);
    return known;
  }

  /** By their names. */
  get all(): FairLimiter[] {
    return [...this.limiters.values()].sort((one, other) =>
      one.bulkhead.name < other.bulkhead.name ? -1 : 1,
    );
  }
}
