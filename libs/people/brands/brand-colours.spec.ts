import { carriesWhite, isColour } from './brand-colours';

it('white text needs a contrast of 4.5', () => {
  expect(['#767676', '#777777', '#000000', '#FFFF00'].map(carriesWhite)).toEqual([true, false, true, false]);
});

it.each(['', '#abc', '1a56a8', '#1a56a8 ', '#1a56ag', '#1a56a8ff', 'red'])('%j is no colour', (text) => {
  expect(isColour(text)).toBe(false);
});
