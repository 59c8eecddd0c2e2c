import { arrangeOrganisations, type TreeNode } from './organisation-import-order';

const node = (id: number, parentId: number | null = 1, resellerId: number | null = null): TreeNode => ({
  id,
  parentId,
  resellerId,
});

/** The ids in the order of writing, and the reason of each refused one. */
function arranged(rows: TreeNode[], stored: TreeNode[] = []) {
  const { order, refused } = arrangeOrganisations(rows, stored);
  const idAt = (place: number): number => rows[place]?.id ?? 0;
  return {
    order: order.map(idAt),
    refused: Object.fromEntries([...refused].map(([place, reason]) => [idAt(place), reason])),
  };
}

const BENEATH_ITSELF = 'An organisation cannot lie beneath itself.';
const refusedItself = (id: number): string => `Organisation ${id} is refused itself.`;

describe('arrangeOrganisations', () => {
  it('puts parents and resellers before those that are linked to them', () => {
    expect(arranged([node(7, 5), node(5, 1, 6), node(6, 9), node(9), node(8, 7, 6)])).toEqual({
      order: [9, 6, 5, 7, 8],
      refused: {},
    });
  });

  it('takes what is stored as it is there, whatever the file says of it', () => {
    expect(arranged([node(7, 5), node(5, 7)], [node(5)])).toEqual({ order: [5, 7], refused: {} });
  });

  it('refuses links that lead nowhere, and whatever hangs on them', () => {
    expect(arranged([node(7, 5), node(8, 7), node(9, 1, 6), node(10)])).toEqual({
      order: [10],
      refused: {
        7: 'parentOrganisation: Organisation 5 is neither in the file nor in the database.',
        8: `parentOrganisation: ${refusedItself(7)}`,
        9: 'resellerOrganisation: Organisation 6 is neither in the file nor in the database.',
      },
    });
  });

  it('refuses circles over either link, and tells them from what lies beneath', () => {
    expect(arranged([node(5, 6), node(6, 1, 7), node(7, 5), node(8, 7), node(9, 1, 8), node(3, 3)])).toEqual({
      order: [],
      refused: {
        5: `parentOrganisation: ${BENEATH_ITSELF}`,
        6: `resellerOrganisation: ${BENEATH_ITSELF}`,
        7: `parentOrganisation: ${BENEATH_ITSELF}`,
        8: `parentOrganisation: ${refusedItself(7)}`,
        9: `resellerOrganisation: ${refusedItself(8)}`,
        3: `parentOrganisation: ${BENEATH_ITSELF}`,
      },
    });
  });

  it('lets a way have 32 organisations, those in the database counted', () => {
    const stored = Array.from({ length: 20 }, (_, n) => node(100 + n, n === 0 ? 1 : 99 + n));
    const rows = Array.from({ length: 12 }, (_, n) => node(200 + n, n === 0 ? 119 : 199 + n)).reverse();
    const { order, refused } = arranged(rows, stored);
    expect(order).toEqual([200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210]);
    expect(refused).toEqual({ 211: expect.stringMatching(/^parentOrganisation: At most 32/) });
    const overReseller = arranged([node(300, 1, 210)], [...stored, ...rows.slice(1)]);
    expect(overReseller.refused).toEqual({ 300: expect.stringMatching(/^resellerOrganisation: At most 32/) });
  });

  it('takes its time in proportion to the number of rows', () => {
    const rows = Array.from({ length: 200_000 }, (_, n) => node(2 + n, n % 2 === 0 ? 200_000 : 200_001));
    expect(arrangeOrganisations(rows, []).refused.size).toBe(200_000);
  });
});
