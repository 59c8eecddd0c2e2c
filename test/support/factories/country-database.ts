import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Types of the MaxMind DB file format, version 2.0 (https://maxmind.github.io/MaxMind-DB/). */
const UTF8 = 2;
const UINT16 = 5;
const UINT32 = 6;
const MAP = 7;

type Value =
  string | { readonly [key: string]: Value } | { readonly uint16: number } | { readonly uint32: number };

const sized = (type: number, size: number, content: Buffer): Buffer =>
  Buffer.concat([
    size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29]),
    content,
  ]);

function encoded(value: Value): Buffer {
  if (typeof value === 'string') return sized(UTF8, Buffer.byteLength(value), Buffer.from(value));
  if (typeof value['uint16' as keyof Value] === 'number') {
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16BE((value as { uint16: number }).uint16);
    return sized(UINT16, 2, bytes);
  }
  if (typeof value['uint32' as keyof Value] === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE((value as { uint32: number }).uint32);
    return sized(UINT32, 4, bytes);
  }
  const entries = Object.entries(value as Record<string, Value>);
  return sized(
    MAP,
    entries.length,
    Buffer.concat(entries.flatMap(([key, item]) => [encoded(key), encoded(item)])),
  );
}

/** Writes a country database in which 127.0.0.0/8 lies in the country and every other address nowhere. */
export function writeCountryDatabase(isoCode: string): string {
  const path = [0, 1, 1, 1, 1, 1, 1, 1];
  const nodes = path.length;
  const found = nodes + 16;
  const tree = Buffer.alloc(nodes * 6);
  path.forEach((bit, node) => {
    const next = node + 1 === nodes ? found : node + 1;
    tree.writeUIntBE(bit === 0 ? next : nodes, node * 6, 3);
    tree.writeUIntBE(bit === 1 ? next : nodes, node * 6 + 3, 3);
  });
  const metadata = encoded({
    binary_format_major_version: { uint16: 2 },
    binary_format_minor_version: { uint16: 0 },
    build_epoch: { uint32: 1_767_225_600 },
    database_type: 'Test-Country',
    description: { en: 'Test' },
    ip_version: { uint16: 4 },
    node_count: { uint32: nodes },
    record_size: { uint16: 24 },
  });
  const file = join(mkdtempSync(join(tmpdir(), 'country-database-')), 'countries.mmdb');
  writeFileSync(
    file,
    Buffer.concat([
      tree,
      Buffer.alloc(16),
      encoded({ country: { iso_code: isoCode } }),
      Buffer.from([0xab, 0xcd, 0xef]),
      Buffer.from('MaxMind.com'),
      metadata,
    ]),
  );
  return file;
}
