import type { Invitation, User } from '../../prisma/generated/client/client.ts'
import { request } from './request.ts'
import type { TestService } from './service.ts'
import { createOwnedTeam, createUser, personalToken, unique } from './team.ts'

interface Terms {
  email?: unknown
  role?: unknown
  accessible_app_ids?: unknown
}

/** Invites over REST and answers what the service did. */
export const invite = (service: TestService, slug: string, token: string, body: Terms) =>
  request(service, 'POST', `/api/v1/teams/${slug}/invitations`, { token, body })

/** The one pending invitation of an address. */
export const pendingOf = ({ database }: TestService, email: string): Promise<Invitation> =>
  database.prisma.invitation.findFirstOrThrow({ where: { email, status: 'pending' } })

/** A team, its owner, and a person who is invited to it and holds a personal token of every scope. */
export async function invitedGuest(service: TestService, terms: Terms = {}, guestData: Partial<User> = {}) {
  const owned = await createOwnedTeam(service.database)
  const email = `${unique('guest')}@example.test`
  const guest = await createUser(service.database, { email, name: 'Grace', ...guestData })
  const { status } = await invite(service, owned.team.slug, owned.token, { email, role: 'member', ...terms })
  if (status !== 204) throw new Error(`inviting was answered ${status}`)
  return { ...owned, email, guest, guestToken: await personalToken(service.database, guest), invitation: await pendingOf(service, email) }
}
