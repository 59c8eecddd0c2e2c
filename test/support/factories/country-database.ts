import { useFiles } from '../service/files';

/** Types of the MaxMind DB file format, version 2.0 (https://maxmind.github.io/MaxMind-DB/). */
const UTF8 = 2;
const UINT16 = 5;
const UINT32 = 6;
const MAP = 7;

/** A buffer is encoded already. */
type Value = string | Buffer | { readonly [key: string]: Value };

const sized = (type: number, size: number, content: Buffer): Buffer =>
  Buffer.concat([
    size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29]),
    content,
  ]);

function uint(type: typeof UINT16 | typeof UINT32, value: number): Buffer {
  const bytes = Buffer.alloc(type === UINT16 ? 2 : 4);
  bytes.writeUIntBE(value, 0, bytes.length);
  return sized(type, bytes.length, bytes);
}

function encoded(value: Value): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'string') return sized(UTF8, Buffer.byteLength(value), Buffer.from(value));
  const entries = Object.entries(value);
  const parts = entries.flatMap(([key, item]) => [encoded(key), encoded(item)]);
  return sized(MAP, entries.length, Buffer.concat(parts));
}

/**
 * The path of a country database in which 127.0.0.0/8 lies in the country and every other address nowhere.
 */
export function useCountryDatabase(isoCode: string): string {
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
    binary_format_major_version: uint(UINT16, 2),
    binary_format_minor_version: uint(UINT16, 0),
    build_epoch: uint(UINT32, 1_767_225_600),
    database_type: 'Test-Country',
    description: { en: 'Test' },
    ip_version: uint(UINT16, 4),
    node_count: uint(UINT32, nodes),
    record_size: uint(UINT16, 24),
  });
  const parts = [
    tree,
    Buffer.alloc(16),
    encoded({ country: { iso_code: isoCode } }),
    Buffer.from([0xab, 0xcd, 0xef]),
    Buffer.from('MaxMind.com'),
    metadata,
  ];
  return useFiles().write('countries.mmdb', Buffer.concat(parts));
}
