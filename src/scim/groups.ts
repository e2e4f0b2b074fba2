import { canonical } from '../../schema/scim/protocol/canonical.ts'
import { resourceNotFound } from '../../schema/scim/protocol/error.ts'
import { findGroup, listGroups } from '../../schema/scim/groups/queries.ts'
import { groupResource } from '../../schema/scim/groups/resource.ts'
import { changeGroup, createGroup, deleteGroup } from '../../schema/scim/groups/write-group.ts'
import { readListQuery } from '../../schema/scim/protocol/list.ts'
import { patched, readPatch } from '../../schema/scim/protocol/patch.ts'
import { isReturned, readProjection } from '../../schema/scim/protocol/projection.ts'
import { groupType } from '../../schema/scim/resource-types.ts'
import { listAnswer, listed, resourceAnswer } from './answers.ts'
import type { ScimAnswer, ScimRequest } from './serve.ts'

async function show(request: ScimRequest, status = 200, id = request.id): Promise<ScimAnswer> {
  const { context, directory } = request
  const row = await findGroup(context.database.pool, directory.teamId, id)
  if (!row) throw resourceNotFound(id)
  return resourceAnswer(groupResource(row, directory.base), request, status)
}

/** The endpoints of groups. */
export const groupEndpoints = {
  async list({ context, directory, query }: ScimRequest): Promise<ScimAnswer> {
    const { startIndex, ...part } = readListQuery(query)
    const projection = readProjection(query)
    const { total, rows } = await listGroups(context.database.pool, directory.teamId, part, isReturned(projection, 'members'))
    const resources = rows.map((row) => listed(groupResource(row, directory.base), projection))
    return listAnswer(resources, total, startIndex)
  },
  async create(request: ScimRequest): Promise<ScimAnswer> {
    const id = await createGroup(request.context, request.directory, canonical(groupType, await request.body()))
    return show(request, 201, id)
  },
  show: (request: ScimRequest) => show(request),
  async replace(request: ScimRequest): Promise<ScimAnswer> {
    const resource = canonical(groupType, await request.body())
    await changeGroup(request.context, request.directory, request.id, () => resource)
    return show(request)
  },
  /** Without a body: a group can have thousands of members, and the directory knows them. */
  async patch({ context, directory, id, body }: ScimRequest): Promise<ScimAnswer> {
    const operations = readPatch(await body())
    await changeGroup(context, directory, id, (present) => patched(groupType, present, operations))
    return { status: 204 }
  },
  async remove({ context, directory, id }: ScimRequest): Promise<ScimAnswer> {
    await deleteGroup(context, directory, id)
    return { status: 204 }
  },
}
