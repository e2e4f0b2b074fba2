import type { Invitation, User } from '../../../prisma/generated/client/client.ts'
import { request } from '../http/request.ts'
import type { TestService } from '../service/service.ts'
import { createOwnedTeam, createUser, personalToken, unique } from './team.ts'

interface InvitationInput {
  email?: unknown
  role?: unknown
  accessible_app_ids?: unknown
}

/** Sends an invitation through REST and returns the response. */
export const invite = (service: TestService, slug: string, token: string, body: InvitationInput) =>
  request(service, 'POST', `/api/v1/teams/${slug}/invitations`, { token, body })

/** Returns the pending invitation of an address. */
export const findPendingInvitation = ({ database }: TestService, email: string): Promise<Invitation> =>
  database.prisma.invitation.findFirstOrThrow({ where: { email, status: 'pending' } })

/** Creates a team, its owner, and an invited user with a personal token that has every scope. */
export async function createInvitedGuest(service: TestService, input: InvitationInput = {}, guestData: Partial<User> = {}) {
  const owned = await createOwnedTeam(service.database)
  const email = `${unique('guest')}@example.test`
  const guest = await createUser(service.database, { email, name: 'Grace', ...guestData })
  const { status } = await invite(service, owned.team.slug, owned.token, { email, role: 'member', ...input })
  if (status !== 204) throw new Error(`The invitation request returned ${status}.`)
  return {
    ...owned,
    email,
    guest,
    guestToken: await personalToken(service.database, guest),
    invitation: await findPendingInvitation(service, email),
  }
}
