/** Returns the path of the large file of a picture (docs/decisions/pictures.md), or null without one. */
export const picturePath = (id: string | null | undefined): string | null => (id == null ? null : `/pictures/${id}.webp`)

/** Returns the URL of the large file, or null. */
export function pictureUrl({ authUrl }: { authUrl: string }, id: string | null): string | null {
  const path = picturePath(id)
  return path === null ? null : authUrl + path
}

/** The end of the descriptions of fields with such a URL. */
export const pictureFiles =
  'a WebP file of 256 × 256 pixels; with `-small.webp` in place of `.webp`, one of 64 × 64 pixels. Null for none. Anybody who knows the URL can read it.'
