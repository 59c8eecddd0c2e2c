/** Why a connection of this process did not go back to its pool. */
export const LOSS_CAUSES = ['silent', 'read_only', 'standby', 'broken'] as const;

type LossCause = (typeof LOSS_CAUSES)[number];

const losses = new Map<LossCause, number>();

export function countLoss(cause: LossCause): void {
  losses.set(cause, connectionsLost(cause) + 1);
}

/** How many so far. */
export const connectionsLost = (cause: LossCause): number => losses.get(cause) ?? 0;
