import { contrastOf, READABLE } from '@app/formats/colour';

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Whether white text is readable on the colour. */
export const carriesWhite = (colour: string): boolean => contrastOf(colour, '#ffffff') >= READABLE;
