import { ORGANISATION_CONSTRAINT_ERRORS } from '@app/people/organisations/organisation.types';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { type Arrangement, reasonIn } from './import-kind';

/** An organisation with its links. */
export interface TreeNode {
  readonly id: number;
  readonly parentId: number | null;
  readonly resellerId: number | null;
}

/**
 * Maximum organisations on a path from the operator organisation, including both ends
 * (rule organisations 19).
 */
const MAX_DEPTH = 32;

const TOO_DEEP = ORGANISATION_CONSTRAINT_ERRORS['organisations_parent_depth']?.message ?? '';
const LINKS = [
  ['parentOrganisation', 'parentId'],
  ['resellerOrganisation', 'resellerId'],
] as const;

const refusedItself = (id: number, line: number | undefined): string =>
  `Organisation ${id} is refused itself${line === undefined ? '' : ` (line ${line})`}.`;

const OPERATOR: TreeNode = { id: OPERATOR_ORGANISATION, parentId: null, resellerId: null };

type Links = Partial<Readonly<Record<'parentId' | 'resellerId', number | null | undefined>>>;

/** An organisation of the file. */
interface FileNode extends TreeNode {
  readonly line?: number;
  /** Errors of the row by field, apart from its links. */
  readonly faults?: Readonly<Record<string, string>>;
}

/** A row with errors of its own, as far as it can be read. */
interface BadNode extends Links {
  readonly id: number | undefined;
  readonly line: number;
}

/** Organisations that cannot have others beneath them. */
interface NoPlace {
  readonly deleted?: ReadonlySet<number>;
  readonly bad?: readonly BadNode[];
}

interface Row extends FileNode {
  readonly place: number;
  /** Links to rows of the file that have no position yet. */
  open: number;
}

/**
 * Puts new organisations after the organisations that they are linked to. Refuses organisations without
 * a place in the tree: a link leads to nothing or to a refused row, forms a circle, or is too far from
 * the operator organisation.
 * @param stored the existing organisations
 */
export function arrangeOrganisations(
  rows: readonly FileNode[],
  stored: Iterable<TreeNode>,
  noPlace: NoPlace = {},
): Arrangement {
  return new TreeArranger(rows, stored, noPlace).arrange();
}

class TreeArranger {
  private readonly stored: ReadonlyMap<number, TreeNode>;
  /** The longest way to the operator organisation, by id. */
  private readonly depths = new Map<number, number>();
  private readonly rows = new Map<number, Row>();
  /** Rows by the id of the organisation that they are linked to. */
  private readonly linkedTo = new Map<number, Row[]>();
  /** Lines of rows with errors of their own, by id. */
  private readonly badLines: ReadonlyMap<number | undefined, number>;
  private readonly order: number[] = [];
  private readonly refused = new Map<number, string>();

  constructor(
    rows: readonly FileNode[],
    stored: Iterable<TreeNode>,
    private readonly noPlace: NoPlace,
  ) {
    this.badLines = new Map(noPlace.bad?.map(({ id, line }) => [id, line]));
    // The operator organisation exists before any row is written.
    this.stored = new Map([OPERATOR, ...stored].map((node) => [node.id, node]));
    rows.forEach((row, place) => {
      // A stored organisation keeps its place in the tree, even if the file has another. A
      // deleted one has no place.
      if (this.stored.has(row.id) || noPlace.deleted?.has(row.id) === true) this.order.push(place);
      else this.rows.set(row.id, { ...row, place, open: 0 });
    });
    for (const row of this.rows.values()) {
      for (const id of this.linksWithin(row)) {
        row.open += 1;
        const others = this.linkedTo.get(id);
        if (others === undefined) this.linkedTo.set(id, [row]);
        else others.push(row);
      }
    }
  }

  arrange(): Arrangement {
    const ready = [...this.rows.values()].filter(({ open }) => open === 0);
    // Grows during the loop.
    for (const row of ready) {
      this.place(row);
      for (const next of this.linkedTo.get(row.id) ?? []) {
        next.open -= 1;
        if (next.open === 0) ready.push(next);
      }
    }
    this.refuseCircles();
    const missing = (this.noPlace.bad ?? []).map((bad) => faultsOfLinks(bad, (id) => this.problemOf(id)));
    return { order: this.order, refused: this.refused, missing };
  }

  private linksWithin({ parentId, resellerId }: TreeNode): number[] {
    return [parentId, resellerId].filter((id): id is number => id !== null && this.rows.has(id));
  }

  /** Call it when all rows that this row links to are placed or refused. */
  private place(row: Row): void {
    const links = faultsOfLinks(
      row,
      (id) => this.problemOf(id) ?? (this.depthOf(id) < MAX_DEPTH ? undefined : TOO_DEEP),
    );
    const reason = reasonIn({ ...row.faults, ...links });
    if (reason === '') this.order.push(row.place);
    else this.refused.set(row.place, reason);
  }

  private problemOf(id: number): string | undefined {
    const row = this.rows.get(id);
    if (row !== undefined) return this.refused.has(row.place) ? refusedItself(id, row.line) : undefined;
    if (this.stored.has(id)) return undefined;
    if (this.badLines.has(id)) return refusedItself(id, this.badLines.get(id));
    if (this.noPlace.deleted?.has(id) === true) return `Organisation ${id} was deleted here.`;
    return `Organisation ${id} is neither in the file nor in the database.`;
  }

  /**
   * Of a stored or placed organisation. The database has no circles, and is not much
   * deeper than a row may be.
   */
  private depthOf(id: number): number {
    const known = this.depths.get(id);
    if (known !== undefined) return known;
    const node = this.rows.get(id) ?? this.stored.get(id);
    const links = [node?.parentId, node?.resellerId].filter((link) => typeof link === 'number');
    const depth = 1 + Math.max(0, ...links.map((link) => this.depthOf(link)));
    this.depths.set(id, depth);
    return depth;
  }

  /** Rows without a place lie on a circle or beneath one. */
  private refuseCircles(): void {
    const left = new Set([...this.rows.values()].filter(({ open }) => open > 0));
    const onCircle = this.withoutEnds(left);
    for (const row of left) {
      const linkTo = (rows: ReadonlySet<Row>) =>
        LINKS.find(([, key]) => rows.has(this.rows.get(row[key] ?? 0) as Row));
      const [field, key] = linkTo(onCircle) ?? linkTo(left) ?? LINKS[0];
      const reason = onCircle.has(row)
        ? 'An organisation cannot lie beneath itself.'
        : refusedItself(row[key] ?? 0, this.rows.get(row[key] ?? 0)?.line);
      this.refused.set(row.place, reasonIn({ ...row.faults, [field]: reason }));
    }
  }

  /** Repeatedly removes rows with nothing beneath them. Circles remain, and the paths between two circles. */
  private withoutEnds(rows: ReadonlySet<Row>): Set<Row> {
    const remaining = new Set(rows);
    const beneath = new Map([...rows].map((row) => [row, this.linkedTo.get(row.id)?.length ?? 0]));
    const ends = [...rows].filter((row) => beneath.get(row) === 0);
    for (const end of ends) {
      remaining.delete(end);
      for (const id of this.linksWithin(end)) {
        const above = this.rows.get(id) as Row;
        const count = (beneath.get(above) ?? 0) - 1;
        beneath.set(above, count);
        if (count === 0) ends.push(above);
      }
    }
    return remaining;
  }
}

/** The links with a problem: messages by field. */
function faultsOfLinks(links: Links, problemOf: (id: number) => string | undefined): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const [field, key] of LINKS) {
    const id = links[key] ?? undefined;
    const problem = id === undefined ? undefined : problemOf(id);
    if (problem !== undefined) faults[field] = problem;
  }
  return faults;
}
