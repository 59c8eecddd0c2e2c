import { AsyncResource } from 'node:async_hooks';

/** Requests that begin in one turn of the event loop while connections wait to be accepted. */
const BEGUN_IN_A_TURN = 4;

/** Turns without a new connection after which none waits. */
const QUIET_TURNS = 3;

/**
 * Shortens the turns of the event loop while connections wait to be accepted.
 *
 * Node accepts one connection in a turn. Hundreds of busy connections made turns of 100 ms and more: with as
 * many connections that came and went, a new client of another address waited for half a minute, on `/health`
 * too. So only some requests begin in a turn that has accepted a connection, and the others wait for the next
 * turns. Turns without a new connection have no limit, because small turns write less at once.
 */
export class RequestTurns {
  private readonly waiting: (() => void)[] = [];
  private begun = 0;
  private quietTurns = QUIET_TURNS;

  /** Call it for each new connection: further ones may wait. */
  noteAccepted(): void {
    const isCounting = this.quietTurns < QUIET_TURNS;
    this.quietTurns = 0;
    if (!isCounting) setImmediate(() => this.endTurn());
  }

  /**
   * Calls the function now, or in one of the next turns, in the order of the calls and in their
   * contexts, the spans of traces.
   */
  run(begin: () => void): void {
    if (this.quietTurns === QUIET_TURNS) return begin();
    if (this.begun === BEGUN_IN_A_TURN) return void this.waiting.push(AsyncResource.bind(begin));
    this.begun++;
    begin();
  }

  private endTurn(): void {
    this.quietTurns++;
    const isQuiet = this.quietTurns === QUIET_TURNS;
    const next = this.waiting.splice(0, isQuiet ? Infinity : BEGUN_IN_A_TURN);
    this.begun = isQuiet ? 0 : next.length;
    if (!isQuiet) setImmediate(() => this.endTurn());
    for (const begin of next) begin();
  }
}
