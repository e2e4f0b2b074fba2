/**
 * A code as users type it: full-width characters become the usual ones, and everything between letters and digits is ignored, such
 * as blanks and any kind of dash. The device page reads its codes alike.
 */
export const typedCode = (code: string): string => code.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '')
