/** A queue whose groups take turns, on every level of their path; within a group the order is that of arrival. */
export class TurnQueue<Item> {
  private readonly items = new Set<Item>();
  private readonly groups = new Map<string, TurnQueue<Item>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  add([group, ...rest]: readonly string[], item: Item): void {
    this.count++;
    if (group === undefined) {
      this.items.add(item);
      return;
    }
    const queue = this.groups.get(group) ?? new TurnQueue<Item>();
    this.groups.set(group, queue);
    queue.add(rest, item);
  }

  /** Takes the item whose turn it is among those that are ready. */
  take(isReady: (item: Item) => boolean): Item | undefined {
    for (const item of this.items) {
      if (!isReady(item)) continue;
      this.items.delete(item);
      this.count--;
      return item;
    }
    for (const [name, queue] of this.groups) {
      const item = queue.take(isReady);
      if (item === undefined) continue;
      this.count--;
      // The group that had its turn goes to the end.
      this.groups.delete(name);
      if (queue.size > 0) this.groups.set(name, queue);
      return item;
    }
    return undefined;
  }

  /** Takes an item out of the group that it was added to; does nothing where it is not there any more. */
  remove([group, ...rest]: readonly string[], item: Item): boolean {
    const queue = group === undefined ? undefined : this.groups.get(group);
    const removed = group === undefined ? this.items.delete(item) : (queue?.remove(rest, item) ?? false);
    if (removed) this.count--;
    if (group !== undefined && queue?.size === 0) this.groups.delete(group);
    return removed;
  }
}
