import type { FaultReason } from './reasons';

/** One thing that is wrong with a field: its word for programs and a sentence for a person, made at one place. */
export interface Fault {
  readonly reason: FaultReason;
  readonly message: string;
}

/** What a check gives: one fault, several, or undefined where nothing is wrong. */
export type FoundFaults = Fault | readonly Fault[] | undefined;

export const fault = (reason: FaultReason, message: string): Fault => ({ reason, message });

/** What a check gives, as a list. */
export const faultsIn = (found: FoundFaults): readonly Fault[] => (found === undefined ? [] : [found].flat());
