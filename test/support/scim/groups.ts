import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import type { TestService } from '../service/service.ts'
import { createDirectory, patchOf } from './directory.ts'

/** A directory in a team whose groups have these roles and products. */
export async function createGroups(service: TestService, roles: Record<string, [Role, Application[]?]> = {}) {
  const { prisma } = service.database
  const directory = await createDirectory(service)
  const { team, send } = directory
  const data = Object.entries(roles).map(([group, [role, applications]]) => ({
    teamId: team.id,
    group,
    role,
    allApplications: applications === undefined,
    applications: applications ?? [],
  }))
  await prisma.groupRole.createMany({ data })
  const createGroup = async (displayName: string, ids: readonly string[] = [], more: object = {}) => {
    const { status, body } = await send('POST', '/Groups', { displayName, members: ids.map((value) => ({ value })), ...more })
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body as { id: string }
  }
  const patch = (id: string, ...operations: object[]) => send('PATCH', `/Groups/${id}`, patchOf(...operations))
  const membersOf = async (id: string) => {
    const { body } = await send('GET', `/Groups/${id}`)
    return (body.members as { value: string }[]).map(({ value }) => value)
  }
  const termsOf = (userId: string) =>
    prisma.member.findUnique({
      where: { teamId_userId: { teamId: team.id, userId } },
      select: { role: true, allApplications: true, applications: true, managed: true },
    })
  return { ...directory, createGroup, patch, membersOf, termsOf }
}
