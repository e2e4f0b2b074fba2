/**
 * A code as users type it: full-width characters become the usual ones, and everything between letters and digits is ignored, such
 * as blanks and any kind of dash, also the Japanese prolonged sound mark (a modifier letter), which is on the key of the dash. The device
 * page reads its codes in the same way.
 */
export const typedCode = (code: string): string => code.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]|\p{Lm}/gu, '')
