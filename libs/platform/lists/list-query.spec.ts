import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ResponseField } from '../dto/shapes';
import { columnsOf, orderBy, shown } from './columns';
import { ListQuery, substringPattern } from './list-query';

it.each([
  ['a', '%a%'],
  ['50%_\\', '%50\\%\\_\\\\%'],
  ['', '%%'],
])('finds %j by the pattern %j', (text, pattern) => {
  expect(substringPattern(text)).toBe(pattern);
});

@Entity('things')
class Thing {
  @PrimaryColumn({ type: 'integer' }) id!: number;
  @Column({ type: 'text' }) firstName!: string;
  @Column({ type: 'timestamptz', nullable: true }) madeAt!: Date | null;
}

const COLUMNS = columnsOf(Thing, 't', {
  ordered: ['id', 'firstName'],
  seconds: ['madeAt'],
  sql: { size: shown<number>('o.size') },
  joins: 'JOIN owners o ON o.id = t.owner_id',
  orders: { shape: 't.width / t.height' },
});

const request = {
  limit: 5,
  offset: 10,
  orderBy: 'firstName' as const,
  descending: false,
  filter: undefined,
  mode: 'page' as const,
};

/** With single spaces. */
const textOf = ({ statement }: { statement: { text: string } }): string =>
  statement.text.replaceAll(/\s+/g, ' ').trim();

it('reads a page with one row more, by id within equal keys', () => {
  const query = new ListQuery(COLUMNS, request).with('t.owner_id', 7).where('t.deleted_at IS NULL').page();
  expect(textOf(query)).toBe(
    '/* things.list */ SELECT t.id, t.first_name AS "firstName", ' +
      'floor(extract(epoch FROM t.made_at))::float8 AS "madeAt", o.size AS "size" ' +
      'FROM things t JOIN owners o ON o.id = t.owner_id ' +
      'WHERE t.owner_id = $1 AND t.deleted_at IS NULL ' +
      'ORDER BY t.first_name COLLATE "und-x-icu" ASC, t.id ASC LIMIT $2 OFFSET $3',
  );
  expect(query.values).toEqual([7, 6, 10]);
});

it('orders codes by their bytes', () => {
  const codes = columnsOf(Thing, 't', { ordered: ['id'], codes: ['firstName'] });
  expect(textOf(new ListQuery(codes, request).where('true').page())).toContain(
    'ORDER BY t.first_name COLLATE "C" ASC, t.id ASC',
  );
});

it('orders only by id, and downwards', () => {
  const query = new ListQuery(COLUMNS, { ...request, orderBy: 'id', descending: true }).where('true').page();
  expect(textOf(query)).toContain('WHERE true ORDER BY t.id DESC LIMIT');
});

it('orders by what is no field', () => {
  const query = new ListQuery(COLUMNS, { ...request, orderBy: 'shape' }).where('true').page();
  expect(textOf(query)).toContain('ORDER BY t.width / t.height ASC, t.id ASC');
});

it('has a value of orderBy for each field whose column has an order, and for no other', () => {
  class ThingResponse {
    @ResponseField({ type: 'integer', description: 'Its identifier', example: 1 }) id!: number;
    @ResponseField({ description: 'Its name', example: 'A' }) name!: string;
    @ResponseField({ type: 'integer', description: 'How large it is', example: 3 }) size!: number;
    @ResponseField({ type: 'integer', description: 'How much space it takes', example: 3 }) space!: number;
    @ResponseField({ description: 'When it was made', example: '1' }) dtMade!: string;
  }
  // No column has these names; the compiler demands them.
  const names = { name: 'firstName', space: 'size', dtMade: 'madeAt' } as const;
  expect(orderBy(COLUMNS, ThingResponse, names)).toEqual({
    id: 'id',
    name: 'firstName',
    dtMade: 'madeAt',
  });
  // @ts-expect-error Nobody has said which column gives the name.
  expect(orderBy(COLUMNS, ThingResponse, { space: 'size', dtMade: 'madeAt' })).toEqual({
    id: 'id',
    dtMade: 'madeAt',
  });
});

it('looks for the filter in any of its texts, and leaves out what is not asked for', () => {
  const query = new ListQuery(COLUMNS, { ...request, filter: 'a%' })
    .with('t.owner_id', undefined)
    .filteredBy('t.first_name', 't.code')
    .page();
  expect(textOf(query)).toContain(
    'WHERE (search_form(t.first_name) LIKE search_form($1) OR search_form(t.code) LIKE search_form($1)) ORDER',
  );
  expect(query.values).toEqual(['%a\\%%', 6, 10]);
});

it('gives equal requests one statement, whatever they look for, and no name to keep it by', () => {
  const statementOf = (filter: string) =>
    new ListQuery(COLUMNS, { ...request, filter }).filteredBy('t.first_name').pickedFirst().statement;
  expect(statementOf('a')).toEqual({ text: statementOf('b').text });
});

it('names the statement of a default page, and writes its numbers into it', () => {
  const plain = { ...request, orderBy: 'id' as const, offset: 0, mode: 'default-page' as const };
  const query = () => new ListQuery(COLUMNS, plain).with('t.owner_id', 7).page();
  expect(textOf(query())).toMatch(/WHERE t.owner_id = \$1 ORDER BY t.id ASC LIMIT 6 OFFSET 0$/);
  expect(query().values).toEqual([7]);
  expect(query().statement.name).toMatch(/^[\w-]{32}$/);
  expect(query().statement).toEqual(query().statement);
});
