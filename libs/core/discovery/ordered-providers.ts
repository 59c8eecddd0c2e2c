import type { DiscoveryService } from '@nestjs/core';

/** A provider that works in turn with others of its kind. */
export interface Ordered {
  /** Place among the providers of its kind, lowest first; no two share one. */
  readonly position: number;
}

type Kind<Provider> = abstract new (...args: never[]) => Provider;

/** The providers of all modules that extend a class, in the order of their positions. */
export function orderedProviders<Provider extends Ordered>(
  discovery: DiscoveryService,
  kind: Kind<Provider>,
): readonly Provider[] {
  const found = new Set<Provider>();
  for (const { instance } of discovery.getProviders()) {
    if (instance instanceof kind) found.add(instance);
  }
  const ordered = [...found].sort((one, other) => one.position - other.position);
  for (const [index, { position }] of ordered.entries()) {
    if (position === ordered[index - 1]?.position) {
      throw new Error(`Two providers of ${kind.name} have the position ${position}`);
    }
  }
  return ordered;
}
