import { FairLimiter } from './fair-limiter';
import type { Lane } from './lane';

/** The lanes of this process, which its services open. */
export class Lanes {
  private readonly limiters = new Map<string, FairLimiter>();

  /** @param connections of the pool for requests */
  constructor(private readonly connections = 1) {}

  /** The one limiter of a lane. */
  open(lane: Lane): FairLimiter {
    const known = this.limiters.get(lane.name) ?? new FairLimiter(lane, this.connections);
    if (known.lane !== lane) throw new Error(`Two lanes have the name ${lane.name}`);
    this.limiters.set(lane.name, known);
    return known;
  }

  /** By their names. */
  get all(): FairLimiter[] {
    return [...this.limiters.values()].sort((one, other) => (one.lane.name < other.lane.name ? -1 : 1));
  }
}
