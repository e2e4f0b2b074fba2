/** The detail codes of RFC 7644 §3.12 that the service uses. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** A refusal of a SCIM request. The message is for the administrator of the directory, who sees it in its log. */
export class ScimError extends Error {
  readonly status: 400 | 404 | 409 | 412 | 501
  readonly scimType: ScimType | null

  constructor(status: ScimError['status'], scimType: ScimType | null, detail: string) {
    super(detail)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
  }
}

export const invalidValue = (detail: string) => new ScimError(400, 'invalidValue', detail)
export const invalidPath = (detail: string) => new ScimError(400, 'invalidPath', detail)
export const notUnique = (detail: string) => new ScimError(409, 'uniqueness', detail)
export const resourceNotFound = (id: string) => new ScimError(404, null, `The resource ${id.slice(0, 100)} does not exist.`)
