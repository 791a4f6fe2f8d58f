// @ts-check
/** The colours of columns, the same on the page and in the table. */

const HUES = [212, 28, 140, 330, 265, 180, 0, 48, 235, 100, 300, 160];

/** @param {number} column */
export const colour = column => `hsl(${HUES[column % HUES.length]} 65% 45%)`;
/** @param {number} column */
export const tint = column => `hsl(${HUES[column % HUES.length]} 80% 50% / .12)`;
