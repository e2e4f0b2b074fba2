import { canonical } from '../../schema/scim/protocol/canonical.ts'
import { resourceNotFound } from '../../schema/scim/protocol/error.ts'
import { readListQuery } from '../../schema/scim/protocol/list.ts'
import { patched, readPatch } from '../../schema/scim/protocol/patch.ts'
import { readProjection } from '../../schema/scim/protocol/projection.ts'
import { userType } from '../../schema/scim/resource-types.ts'
import { findUser, listUsers } from '../../schema/scim/users/queries.ts'
import { userResource } from '../../schema/scim/users/resource.ts'
import { changeUser, createUser, deleteUser } from '../../schema/scim/users/write-user.ts'
import { listAnswer, listed, resourceAnswer } from './answers.ts'
import type { ScimAnswer, ScimRequest } from './serve.ts'

async function show(request: ScimRequest, status = 200, id = request.id): Promise<ScimAnswer> {
  const { context, directory } = request
  const row = await findUser(context.database.pool, directory.teamId, id)
  if (!row) throw resourceNotFound(id)
  return resourceAnswer(userResource(row, directory.base), request, status)
}

/** The endpoints of users: memberships of the team. */
export const userEndpoints = {
  async list({ context, directory, query }: ScimRequest): Promise<ScimAnswer> {
    const { startIndex, ...part } = readListQuery(query)
    const { total, rows } = await listUsers(context.database.pool, directory.teamId, part)
    const projection = readProjection(query)
    const resources = rows.map((row) => listed(userResource(row, directory.base), projection))
    return listAnswer(resources, total, startIndex)
  },
  async create(request: ScimRequest): Promise<ScimAnswer> {
    const id = await createUser(request.context, request.directory, canonical(userType, await request.body()))
    return show(request, 201, id)
  },
  show: (request: ScimRequest) => show(request),
  async replace(request: ScimRequest): Promise<ScimAnswer> {
    const resource = canonical(userType, await request.body())
    // A user whose state the directory does not mention keeps it.
    await changeUser(request.context, request.directory, request.id, ({ active }) => ({ active, ...resource }))
    return show(request)
  },
  async patch(request: ScimRequest): Promise<ScimAnswer> {
    const operations = readPatch(await request.body())
    await changeUser(request.context, request.directory, request.id, (present) => patched(userType, present, operations))
    return show(request)
  },
  async remove({ context, directory, id }: ScimRequest): Promise<ScimAnswer> {
    await deleteUser(context, directory, id)
    return { status: 204 }
  },
}
