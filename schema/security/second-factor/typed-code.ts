/**
 * Normalizes a code that a user typed: full-width characters become the usual ones. Everything between letters and digits is ignored, such
 * as blanks and dashes, and the Japanese prolonged sound mark (a modifier letter), which is on the key of the dash. The device page
 * normalizes its codes in the same way.
 */
export const typedCode = (code: string): string => code.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]|\p{Lm}/gu, '')
