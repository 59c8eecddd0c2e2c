import type { CommandLine } from '../command';
import { declareEndOfVariant } from '../variants/variant-b/commands';

export function declare(cli: CommandLine): void {
  declareEndOfVariant(cli.group('variants', 'Shows who calls Variant B, and ends it.'));
}
