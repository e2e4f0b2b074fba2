import { expect, test } from 'vitest'
import { createOwnedTeam } from '../support/data/team.ts'
import { subscribe } from '../support/graphql/team-events.ts'
import { graphql } from '../support/http/graphql.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { waitFor } from '../support/service/wait.ts'

const pair = usePair()

/** Follows a team as a client does that connects again after the last event whenever its stream ends. */
async function followForever(token: string, team: string) {
  const received: string[] = []
  let current = await subscribe(pair.url, token, team)
  const collect = () => received.splice(received.length, 0, ...current.events.slice(received.length - base).map(({ id }) => id))
  let base = 0
  return {
    async ids(count: number): Promise<string[]> {
      await waitFor(async () => {
        collect()
        if (current.failure !== undefined) {
          base = received.length
          current = await subscribe(pair.url, token, team, { after: received.at(-1) ?? '' })
        }
        return received.length >= count
      })
      return received
    },
    hasCompleted: () => current.hasCompleted,
  }
}

test(
  'streams of two processes deliver each change once and in order, also when one of the processes stops',
  { timeout: 120_000 },
  async () => {
    const { team, token } = await createOwnedTeam(pair.database)
    const followers = await Promise.all(Array.from({ length: 4 }, () => followForever(token, team.slug)))
    let count = 0
    const change = async () => {
      const query = `mutation { updateTeam(input: { team: "${team.slug}", name: "name ${count++}" }) { team { slug } } }`
      expect((await graphql(pair, token, query)).errors).toEqual([])
    }
    const changeAll = (times: number) => Promise.all(Array.from({ length: times }, change))
    await changeAll(20)
    const [first = [], ...others] = await Promise.all(followers.map(({ ids }) => ids(20)))
    for (const ids of others) expect(ids).toEqual(first)

    const startedAt = performance.now()
    expect(await pair.stop(0)).toBe(0)
    // Streams do not hold the process until the grace period of ten seconds ends.
    expect(performance.now() - startedAt).toBeLessThan(8000)
    await pair.useOnly(1)
    await changeAll(10)
    const all = await Promise.all(followers.map(({ ids }) => ids(30)))
    const written = await pair.database.prisma.auditEntry.findMany({ where: { teamId: team.id } })
    expect(written).toHaveLength(30)
    for (const ids of all) expect([ids.toSorted(), ids]).toEqual([written.map(({ id }) => id).toSorted(), all[0]])
    expect(followers.map(({ hasCompleted }) => hasCompleted())).toEqual([false, false, false, false])
  },
)
