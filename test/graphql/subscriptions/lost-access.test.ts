import { describe, expect, test } from 'vitest'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { createProvider } from '../../support/domains/required-sign-in.ts'
import { maxStreams } from '../../../src/graphql/open-streams.ts'
import { subscribe } from '../../support/graphql/team-events.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

const service = useService({ streamIntervalMilliseconds: 100 })
const { database, url } = service
const rename = (token: string, team: string, name: string) =>
  graphql(service, token, `mutation { updateTeam(input: { team: "${team}", name: "${name}" }) { team { slug } } }`)

/** A team with two owners; the second one subscribes to its events. */
async function followedTeam() {
  const { team, owner, token } = await createOwnedTeam(database)
  const follower = await createUser(database)
  await join(database, team, follower, 'owner')
  const followerToken = await personalToken(database, follower)
  return { team, owner, token, follower, followerToken, stream: await subscribe(url, followerToken, team.slug) }
}

describe('a stream of events', () => {
  test('ends with an error before the next event when the user lost the role', async () => {
    const { team, token, follower, stream } = await followedTeam()
    await database.prisma.member.updateMany({ where: { userId: follower.id }, data: { role: 'member' } })
    await rename(token, team.slug, 'secret')
    await waitFor(() => stream.hasCompleted)
    expect([stream.events, stream.errors]).toMatchObject([[], [{ code: 'role_required' }]])
  })

  test.each([
    [
      'the token is revoked',
      'unauthenticated',
      (userId: string) => database.prisma.accessToken.updateMany({ where: { userId }, data: { revokedAt: new Date() } }),
    ],
    [
      'the user is disabled',
      'unauthenticated',
      (userId: string) => database.prisma.user.update({ where: { id: userId }, data: { disabledAt: new Date() } }),
    ],
    ['the user leaves the team', 'team_forbidden', (userId: string) => database.prisma.member.deleteMany({ where: { userId } })],
  ])('ends soon after %s, also without an event', async (_, code, revoke) => {
    const { follower, stream } = await followedTeam()
    await revoke(follower.id)
    await waitFor(() => stream.hasCompleted)
    expect([stream.events, stream.errors.map((error) => error.code)]).toEqual([[], [code]])
  })

  test('ends soon after the sign-in through a provider begins to be required, also without an event', async () => {
    const { team, follower, stream } = await followedTeam()
    const provider = await createProvider(service, team)
    const { domain } = await createDomain(database, team)
    await database.prisma.user.update({ where: { id: follower.id }, data: { email: `follower@${domain}` } })
    await database.prisma.team.update({
      where: { id: team.id },
      data: { signInProviderId: provider.id, signInRequiredAt: service.clock.now() },
    })
    await waitFor(() => stream.hasCompleted)
    expect([stream.events, stream.errors.map((error) => error.code)]).toEqual([[], ['sign_in_required']])
  })

  test('is refused for a credential that has too many open, until one of them ends', async () => {
    const { team, token } = await createOwnedTeam(database)
    const streams = await Promise.all(Array.from({ length: maxStreams }, () => subscribe(url, token, team.slug)))
    const refused = await subscribe(url, token, team.slug)
    expect([refused.failure, streams.filter(({ failure }) => failure)]).toMatchObject([{ response: { status: 429 } }, []])
    streams[0]?.close()
    await waitFor(async () => (await subscribe(url, token, team.slug)).failure === undefined)
  })
})
