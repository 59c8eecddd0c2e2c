/** The items of a comma-separated field such as `autoRoles`: trimmed, no empty ones, each once, in order. */
export function parseCsvList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items)].filter((item) => item !== '');
}
