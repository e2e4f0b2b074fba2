import type { Request } from 'express'

/**
 * Returns the validator of a resource, from the instant of its last change. It is weak: gzip changes the bytes of a response, and its
 * content may gain members without a change of the resource (docs/decisions/resources.md#conditional-requests).
 */
export const formatETag = (version: string) => `W/"${version}"`

/** Returns true if the client's copy is current: `If-None-Match` contains the validator (RFC 9110 §13.1.2). */
export const isNotModified = ({ headers }: Request, etag: string) => names(headers['if-none-match'], etag) ?? false

/** Returns a check of the client's conditions (`If-Match`, `If-None-Match`) for a change of a version; undefined without them. */
export function readPrecondition({ headers }: Request): ((version: string) => boolean) | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match === undefined && noneMatch === undefined) return undefined
  return (version) => (names(match, formatETag(version)) ?? true) && !names(noneMatch, formatETag(version))
}

const entityTags = /(?:W\/)?("[^"]*")/g

/**
 * Returns true if a field contains the validator, alone, in a list, or as `*`; null without the field. Only the opaque tags are compared,
 * for `If-Match` too: RFC 9110 demands strong comparison there, by which a weak validator would never match and no change could ever be
 * conditional. Every change of a resource changes its tag, so equal tags mean that it did not change in between.
 */
function names(field: string | undefined, etag: string): boolean | null {
  if (field === undefined) return null
  return field.trim() === '*' || [...field.matchAll(entityTags)].some(([, opaqueTag]) => etag.endsWith(`/${opaqueTag}`))
}
