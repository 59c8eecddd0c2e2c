import { PrunedFile } from './pruned-file.cjs';

/** A domain `kites` with the table and the routes of this name. */
const KITES = {
  isGone: (target: string) => () => target.includes('/kites'),
  words: [],
  isOf: (text: string) => /^kites\.\w+$/.test(text),
  isQuery: (text: string) => /\b(?:FROM|INTO) kites\b/.test(text),
  isUsedBy: (text: string) => /\/kites\b|\b(?:FROM|INTO) kites\b/.test(text),
  lists: (text: string) => text === 'kites',
};

/** The file without blank lines, which prettier takes care of, and what is wrong with it. */
function without(path: string, text: string, words: readonly string[] = []) {
  const file = new PrunedFile(path, text, { ...KITES, words });
  file.prune();
  const lines = file.text.split('\n').filter((line) => line.trim() !== '');
  return { lines, problems: file.problems, isEmpty: file.isEmpty };
}

describe('a file without a domain', () => {
  it('has no row of a list that uses what it imported, and no import', () => {
    const text = `import { KitesModule } from '@app/records/kites/kites.module';
import { TeamsModule } from '@app/people/teams/teams.module';
const MODULES = [TeamsModule, KitesModule];
const REASONS = {
  ...TEAM_REASONS,
  // Of the wind.
  kites: KitesModule.reasons,
};
`;
    expect(without('libs/service/app.module.ts', text)).toMatchObject({
      lines: [
        "import { TeamsModule } from '@app/people/teams/teams.module';",
        'const MODULES = [TeamsModule];',
        'const REASONS = {',
        '  ...TEAM_REASONS,',
        '};',
      ],
      problems: [],
    });
  });

  it('has no provider of it, of which only a part names it', () => {
    const text = `import { Kites } from './kites/kites';
const PROVIDERS = [
  { provide: Wind, useExisting: Kites },
  { provide: Rain, useClass: Clouds },
];
`;
    expect(without('libs/service/a.ts', text).lines).toEqual([
      'const PROVIDERS = [',
      '  { provide: Rain, useClass: Clouds },',
      '];',
    ]);
  });

  it('has no operation of it, and nothing that only those used', () => {
    const text = `const calm = { apiKey: 'deny' };
const alone = { apiKey: 'deny' };
export const PRIVILEGES = {
  'kites.list': calm,
  'teams.list': {},
};
`;
    expect(without('libs/security/access/privileges.ts', text).lines).toEqual([
      "const alone = { apiKey: 'deny' };",
      'export const PRIVILEGES = {',
      "  'teams.list': {},",
      '};',
    ]);
  });

  it('has no named row, in lists, records, unions, interfaces and classes', () => {
    const text = `export const KINDS = ['teams', 'kites'] as const;
type Kind = 'kites' | 'teams';
interface Texts {
  readonly kites: string;
  readonly teams: string;
}
class Counts {
  /** In the air. */
  @Field() kites!: number;
  @Field() teams!: number;
}
const ROWS = [['kites', 1], ['teams', 2]];
`;
    expect(without('libs/a.ts', text, ['kites']).lines).toEqual([
      "export const KINDS = ['teams'] as const;",
      "type Kind = 'teams';",
      'interface Texts {',
      '  readonly teams: string;',
      '}',
      'class Counts {',
      '  @Field() teams!: number;',
      '}',
      "const ROWS = [ ['teams', 2]];",
    ]);
    expect(without('libs/a.ts', text, ['boats']).problems).toEqual(['libs/a.ts: no row of boats']);
  });

  it('may not name it in code, nor its tables in SQL', () => {
    const text = `import { Kites } from './kites/kites';
export class Teams {
  constructor(private readonly kites: Kites) {}
  all() {
    return this.read('SELECT * FROM kites');
  }
}
`;
    expect(without('libs/people/teams/teams.ts', text).problems).toEqual([
      'libs/people/teams/teams.ts:3 names Kites outside a list',
      "libs/people/teams/teams.ts:5 names 'SELECT * FROM kites' outside a list",
    ]);
  });
});

describe('a file of tests without a domain', () => {
  it('has no test of it, and nothing that only such tests used', () => {
    const text = `import { fly } from '../kites/kites';
const WIND = 1;
describe('kites', () => {
  it('fly', () => fly(WIND));
});
describe('teams', () => {
  let kite: number;
  beforeAll(async () => {
    kite = await fly(1);
    await service.sql\`INSERT INTO kites VALUES (1)\`;
    await begin();
  });
  it('ask for them', () => get('/v1/kites'));
  it('know one', () => expect(kite).toBe(1));
  it('stay', () => get('/v1/teams'));
});
`;
    expect(without('test/domains/teams.e2e-spec.ts', text)).toMatchObject({
      lines: [
        "describe('teams', () => {",
        '  beforeAll(async () => {',
        '    await begin();',
        '  });',
        "  it('stay', () => get('/v1/teams'));",
        '});',
      ],
      problems: [],
      isEmpty: false,
    });
  });

  it('has no test of what a row names, also where it stands in no list', () => {
    const text = `it('tells of a kite', () => mailOf('Kite.new'));
it('tells of a team', () => mailOf('Team.new'));
`;
    expect(without('libs/people/mails.spec.ts', text, ['Kite.new'])).toMatchObject({
      lines: ["it('tells of a team', () => mailOf('Team.new'));"],
      problems: [],
    });
  });

  it('is empty without its last test', () => {
    const text = "it('flies', () => get('/v1/kites'));\n";
    expect(without('test/domains/wind.e2e-spec.ts', text).isEmpty).toBe(true);
  });

  it('loses rows of its lists, and keeps the test around them', () => {
    const text = `it('locks in one order', () => expect(TABLES).toEqual(['teams', 'kites']));\n`;
    expect(without('test/database/owners.e2e-spec.ts', text).lines).toEqual([
      "it('locks in one order', () => expect(TABLES).toEqual(['teams']));",
    ]);
  });
});
