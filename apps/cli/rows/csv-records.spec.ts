import { type CellRecord, cellRecords } from './csv-records';
import { RECORD_MAX_LENGTH, textLines } from './source-record';

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}

const recordsOf = async (text: string, separator = ',', pieceSize = text.length): Promise<CellRecord[]> => {
  const records: CellRecord[] = [];
  for await (const record of cellRecords(textLines(pieces(text, pieceSize)), separator)) records.push(record);
  return records;
};

describe('cellRecords', () => {
  it.each<[string, string[][]]>([
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\n\n\r\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,,\n,\n',
      [
        ['a', '', ''],
        ['', ''],
      ],
    ],
    ['"a,b","say ""hi""",""\n', [['a,b', 'say "hi"', '']]],
    ['"two\nlines","two\r\nlines"\r\n""\n', [['two\nlines', 'two\r\nlines'], ['']]],
    ['5" disk,"a ""b"""\n', [['5" disk', 'a "b"']]],
    ['"é😀",ß\n', [['é😀', 'ß']]],
    [' a , "b\n', [[' a ', ' "b']]],
  ])('%j', async (text, cells) => {
    for (const pieceSize of [1, 2, text.length]) {
      expect((await recordsOf(text, ',', pieceSize)).map((record) => record.cells)).toEqual(cells);
    }
  });

  it('separates by what it is told', async () => {
    expect(await recordsOf('a,b;"c;d"\n', ';')).toEqual([{ line: 1, cells: ['a,b', 'c;d'] }]);
  });

  it('names the line where a record begins, and goes on after one that is wrong', async () => {
    expect(await recordsOf('"a\nb",c\n\n"x" y,z\n"e\n",f\nlast')).toEqual([
      { line: 1, cells: ['a\nb', 'c'] },
      { line: 4, cells: ['"x" y,z'], error: 'text follows a closing quote' },
      { line: 5, cells: ['e\n', 'f'] },
      { line: 7, cells: ['last'] },
    ]);
  });

  it('tells of a quote that is open at the end', async () => {
    expect(await recordsOf('a\n"b,c\nd\n')).toEqual([
      { line: 1, cells: ['a'] },
      { line: 2, cells: ['"b,c\nd'], error: 'a quote is opened and never closed' },
    ]);
  });

  it('has patience with a line or a quote for so many characters', async () => {
    const long = 'x'.repeat(RECORD_MAX_LENGTH + 1);
    const manyLines = 'words\n'.repeat(RECORD_MAX_LENGTH / 5);
    const records = await recordsOf(`${long}\na\n"${manyLines}`, ',', 65_536);
    expect(records.slice(0, 4)).toEqual([
      { line: 1, cells: [''], error: `it is longer than ${RECORD_MAX_LENGTH} characters` },
      { line: 2, cells: ['a'] },
      {
        line: 3,
        cells: [expect.stringMatching(/^"words\n/)],
        error: `a quote is not closed within ${RECORD_MAX_LENGTH} characters`,
      },
      { line: expect.any(Number) as number, cells: ['words'] },
    ]);
  });
});
