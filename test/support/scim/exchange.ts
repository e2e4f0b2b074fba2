/** A request of a directory, and what of the answer it depends on. `{name}` is a value that an earlier answer contained. */
export interface Exchange {
  request: readonly [method: string, path: string, body?: unknown]
  status: number
  /** Members of the answer. */
  answer?: object
  /** Keeps `id` of the answer under this name. */
  keep?: string
}

/** A PATCH of these operations. */
export const patch = (...Operations: object[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
export const user = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const group = 'urn:ietf:params:scim:schemas:core:2.0:Group'
