import { etagOf, isNotModified } from '../../rest-facade/http/conditional.ts'
import type { JsonObject } from '../../schema/scim/protocol/attribute.ts'
import { project } from '../../schema/scim/protocol/projection.ts'
import type { Projection } from '../../schema/scim/protocol/projection.ts'
import type { Resource } from '../../schema/scim/users/resource.ts'
import type { ScimAnswer, ScimRequest } from './serve.ts'

/** Builds a list (RFC 7644 §3.4.2). */
export const listAnswer = (resources: readonly object[], total: number, startIndex: number): ScimAnswer => ({
  status: 200,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  },
})

const withVersion = ({ body, version }: Resource): JsonObject => ({ ...body, meta: { ...body.meta, version: etagOf(version) } })

/** Builds a resource in a list. */
export const listed = (resource: Resource, projection: Projection): JsonObject => project(withVersion(resource), projection)

/** Builds a response with one resource and its entity tag; 304 if the client has it. */
export function resourceAnswer(resource: Resource, projection: Projection, { request }: ScimRequest, status = 200): ScimAnswer {
  const etag = etagOf(resource.version)
  const headers = { ETag: etag, Location: resource.body.meta.location }
  if (request.method === 'GET' && isNotModified(request, etag)) return { status: 304, headers }
  return { status, headers, body: project(withVersion(resource), projection) }
}
