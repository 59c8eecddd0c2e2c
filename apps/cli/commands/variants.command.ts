import { Option } from 'commander';
import { type CommandLine, daysOf, memberHelp } from '../command';
import { writeNewFile } from '../terminal';
import { usageLines, usagePage } from '../variants/usage-views';
import { declareEndOfVariant } from '../variants/variant-b/commands';
import { readUsage } from '../variants/usage-report';

const USAGE_HELP = memberHelp(
  'show who calls a variant, with which programs, and when last',
  `Shows which customers and programs call a variant of the interface, what the other variant lacks, and for how
long they have not called. Each process writes its counts every five minutes and when it stops.`,
  `Examples:
  $ npm run cli -- variants usage
  $ npm run cli -- variants usage --days 30 --html usage.html
  $ npm run --silent cli -- variants usage --json`,
);

interface UsageOptions {
  readonly variant: string;
  readonly days: number;
  readonly html?: string;
}

export function declare(cli: CommandLine): void {
  const variants = cli.group('variants', 'Shows who calls which variant of the interface.');
  variants
    .command('usage', USAGE_HELP)
    .addOption(new Option('--variant <variant>', 'the variant').choices(['A', 'B']).default('B'))
    .option('--days <number>', 'requests of so many days, including today', daysOf, 90)
    .option('--html <file>', 'also write a page with a plot to this file, readable only by its owner')
    .action(({ variant, days, html }: UsageOptions) =>
      cli.run(async ({ dataSource }) => {
        const report = await readUsage(dataSource, variant, days);
        if (html !== undefined) await writeNewFile(html, [usagePage(report)]);
        return { report, lines: usageLines(report) };
      }),
    );
  declareEndOfVariant(variants);
}
