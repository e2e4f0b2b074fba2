import { createUser, personalToken, unique } from '../data/team.ts'
import { graphql } from '../http/graphql.ts'
import type { TestService } from '../service/service.ts'
import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import { patchOf } from './directory.ts'
import { createGroups } from './groups.ts'

/** A directory that has created a user whose address is in no domain that the team has verified. */
export async function createGuest(service: TestService, roles: Record<string, [Role, Application[]?]> = {}, more: object = {}) {
  const { prisma } = service.database
  const groups = await createGroups(service, roles)
  const address = `${unique('guest')}@outside.example`
  const sent = { userName: address, externalId: unique('external'), name: { givenName: 'Guest', familyName: 'Outside' }, ...more }
  const created = await groups.send('POST', '/Users', sent)
  const id: string = created.body.id
  const read = async () => (await groups.send('GET', `/Users/${id}`)).body
  const change = (...operations: object[]) => groups.send('PATCH', `/Users/${id}`, patchOf(...operations))
  const setActive = (value: boolean) => change({ op: 'replace', path: 'active', value })
  const invitations = (email = address) =>
    prisma.invitation.findMany({ where: { teamId: groups.team.id, email }, orderBy: { createdAt: 'asc' } })
  const statuses = async (email = address) => (await invitations(email)).map(({ status }) => status)
  const entries = async () => {
    const rows = await prisma.auditEntry.findMany({ where: { teamId: groups.team.id }, orderBy: [{ at: 'asc' }, { id: 'asc' }] })
    return rows.map(({ action, actorKind, subjectName }) => `${actorKind} ${action} ${subjectName}`)
  }
  /** An account with an address, and the answer to its invitation. */
  const createAccount = (email = address) => createUser(service.database, { email, name: 'Grace Guest' })
  async function answer(account: { id: string; email: string }, name: 'acceptInvitation' | 'declineInvitation' = 'acceptInvitation') {
    const user = await prisma.user.findUniqueOrThrow({ where: { id: account.id } })
    const { id: invitationId } = await prisma.invitation.findFirstOrThrow({
      where: { teamId: groups.team.id, email: account.email, status: 'pending' },
    })
    const document = `mutation { ${name}(input: { id: "${invitationId}" }) { errors { message } } }`
    const { data, errors } = await graphql(service, await personalToken(service.database, user), document)
    if (errors.length > 0) throw new Error(JSON.stringify(errors))
    return (data as Record<string, { errors: { message: string }[] }>)[name]?.errors.map(({ message }) => message)
  }
  return { ...groups, address, sent, created, id, read, change, setActive, invitations, statuses, entries, createAccount, answer }
}
