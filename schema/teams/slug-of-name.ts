const maxLength = 64

/** Proposes a slug: `Köhler & Söhne` becomes `kohler-sohne`. Returns an empty text for a name without Latin letters and digits. */
export const slugOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('\u00DF', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-|-$/g, '')
