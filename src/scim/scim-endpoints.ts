import { formatETag, isNotModified } from '../../rest-facade/http/conditional.ts'
import { findGroup, listGroups, groupResource } from '../../schema/scim/groups/queries.ts'
import type { GroupRow } from '../../schema/scim/groups/queries.ts'
import { changeGroup, createGroup, deleteGroup } from '../../schema/scim/groups/write-group.ts'
import type { JsonObject } from '../../schema/scim/protocol/attribute.ts'
import { normalizeResource } from '../../schema/scim/protocol/values.ts'
import { resourceNotFound } from '../../schema/scim/protocol/error.ts'
import { readListQuery } from '../../schema/scim/protocol/list-query.ts'
import type { ListPage, ScimListQuery } from '../../schema/scim/protocol/list-query.ts'
import { applyPatch, readPatch } from '../../schema/scim/protocol/patch.ts'
import { isReturned, readProjection, project } from '../../schema/scim/protocol/projection.ts'
import type { Projection } from '../../schema/scim/protocol/projection.ts'
import { groupType, userType } from '../../schema/scim/resource-types.ts'
import { createUser } from '../../schema/scim/users/create-user.ts'
import { findScimUser, listUsers } from '../../schema/scim/users/queries.ts'
import { userResource } from '../../schema/scim/users/resource.ts'
import type { Resource } from '../../schema/scim/users/resource.ts'
import { changeUser, deleteUser } from '../../schema/scim/users/write-user.ts'
import type { ScimResponse, ScimRequest } from './serve-scim.ts'

type Pool = ScimRequest['context']['database']['pool']

/** Operations that read and change the resources of a type. */
interface Operations<Row> {
  type: typeof userType
  find(pool: Pool, teamId: string, id: string): Promise<Row | null>
  list(pool: Pool, teamId: string, query: ScimListQuery, projection: Projection): Promise<ListPage<Row>>
  getResource(row: Row, base: string): Resource
  create: typeof createUser
  change: typeof changeUser
  remove: typeof deleteUser
  /** True if the response to a PATCH contains the resource. */
  isShownAfterPatch: boolean
}

function listEndpoints<Row>({ type, find, list, getResource, create, change, remove, isShownAfterPatch }: Operations<Row>) {
  async function show(request: ScimRequest, projection: Projection, status = 200, id = request.id): Promise<ScimResponse> {
    const { context, directory } = request
    const row = await find(context.database.pool, directory.teamId, id)
    if (!row) throw resourceNotFound(id)
    return buildResourceResponse(getResource(row, directory.base), projection, request, status)
  }
  // A request with unreadable lists of attributes is refused before it changes anything.
  const getProjection = ({ query }: ScimRequest) => readProjection(type, query)
  return {
    async list(request: ScimRequest): Promise<ScimResponse> {
      const { context, directory, query } = request
      const { startIndex, ...part } = readListQuery(query)
      const projection = getProjection(request)
      const { total, rows } = await list(context.database.pool, directory.teamId, part, projection)
      return buildListResponse(
        rows.map((row) => toListItem(getResource(row, directory.base), projection)),
        total,
        startIndex,
      )
    },
    async create(request: ScimRequest): Promise<ScimResponse> {
      const projection = getProjection(request)
      const id = await create(request.context, request.directory, normalizeResource(type, await request.body()))
      return show(request, projection, 201, id)
    },
    show: async (request: ScimRequest) => show(request, getProjection(request)),
    async replace(request: ScimRequest): Promise<ScimResponse> {
      const projection = getProjection(request)
      const resource = normalizeResource(type, await request.body())
      // A directory that omits its identifier does not change it: the PUT that Okta documents has none.
      await change(request.context, request.directory, request.id, ({ externalId }) => ({
        ...resource,
        externalId: resource['externalId'] ?? externalId,
      }))
      return show(request, projection)
    },
    async patch(request: ScimRequest): Promise<ScimResponse> {
      const projection = getProjection(request)
      const operations = readPatch(await request.body())
      await change(request.context, request.directory, request.id, (current) => applyPatch(type, current, operations))
      return isShownAfterPatch ? show(request, projection) : { status: 204 }
    },
    async remove({ context, directory, id }: ScimRequest): Promise<ScimResponse> {
      await remove(context, directory, id)
      return { status: 204 }
    },
  }
}

/** The endpoints of users: memberships of the team. */
export const userEndpoints = listEndpoints({
  type: userType,
  find: findScimUser,
  list: listUsers,
  getResource: userResource,
  create: createUser,
  change: changeUser,
  remove: deleteUser,
  isShownAfterPatch: true,
})

/** The endpoints of groups. The response to a PATCH omits the members, because they can be thousands and the directory has them. */
export const groupEndpoints = listEndpoints<GroupRow>({
  type: groupType,
  find: findGroup,
  list: (pool, teamId, query, projection) => listGroups(pool, teamId, query, isReturned(projection, 'members')),
  getResource: groupResource,
  create: createGroup,
  change: changeGroup,
  remove: deleteGroup,
  isShownAfterPatch: false,
})

/** Builds a list (RFC 7644 §3.4.2). */
export const buildListResponse = (resources: readonly object[], total: number, startIndex: number): ScimResponse => ({
  status: 200,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  },
})

const withVersion = ({ body, version }: Resource): JsonObject => ({ ...body, meta: { ...body.meta, version: formatETag(version) } })

/** Builds a resource in a list. */
const toListItem = (resource: Resource, projection: Projection): JsonObject => project(withVersion(resource), projection)

/** Builds a response with one resource and its entity tag; 304 if the client has it. */
function buildResourceResponse(resource: Resource, projection: Projection, { request }: ScimRequest, status = 200): ScimResponse {
  const etag = formatETag(resource.version)
  const headers = { ETag: etag, Location: resource.body.meta.location }
  if (request.method === 'GET' && isNotModified(request, etag)) return { status: 304, headers }
  return { status, headers, body: project(withVersion(resource), projection) }
}
