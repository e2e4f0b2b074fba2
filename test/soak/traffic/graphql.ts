import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from 'graphql-sse'
import { createOwnedTeam, unique } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { expectStatus, Unavailable } from './journey.ts'
import type { Journey, SoakTarget } from './journey.ts'

const rename = `mutation ($team: String!, $name: String!) { updateTeam(input: { team: $team, name: $name }) { team { name } } }`
const invite = `mutation ($team: String!, $email: String!) {
  inviteMember(input: { team: $team, email: $email, role: MEMBER }) { invitation { invitationId } } }`
const revoke = `mutation ($id: ID!) { revokeInvitation(input: { id: $id }) { invitation { status } } }`

async function change(target: SoakTarget, token: string, document: string, variables: Record<string, unknown>) {
  const { data, refusal } = await mutate(target, token, document, variables)
  if (refusal?.code === 'unavailable') throw new Unavailable(refusal.message)
  if (refusal) throw new Error(`${refusal.code}: ${refusal.message}`)
  return data
}

/** Mutations, one of which sends a mail, and a query. */
const operations: Journey = {
  name: 'GraphQL queries and mutations',
  pauseMilliseconds: 100,
  async prepare(target) {
    let { team, token } = await createOwnedTeam(target.database)
    let rounds = 0
    return async () => {
      // A team may invite 100 people in an hour.
      if (++rounds % 80 === 0) ({ team, token } = await createOwnedTeam(target.database))
      await change(target, token, rename, { team: team.slug, name: unique('name') })
      const { inviteMember } = await change(target, token, invite, { team: team.slug, email: `${unique('guest')}@example.test` })
      const query = `query ($team: String!) { team(slug: $team) { name invitations(perPage: 5) { nodes { email } } } }`
      const { errors } = await graphql(target, token, query, { team: team.slug })
      if (errors[0]) throw new Error(errors[0].message)
      await change(target, token, revoke, { id: inviteMember.invitation.invitationId })
    }
  },
}

/** A batch of operations in one request. */
const batches: Journey = {
  name: 'GraphQL batches',
  pauseMilliseconds: 100,
  async prepare({ url, data }) {
    const headers = { Authorization: `Bearer ${data.callers.oneTeam}`, 'Content-Type': 'application/json' }
    const query = '{ team(slug: "acme") { name members(perPage: 5) { nodes { role } } } }'
    const body = JSON.stringify(Array.from({ length: 5 }, () => ({ query })))
    return async () => {
      const response = expectStatus(await fetch(`${url}/graphql`, { method: 'POST', headers, body }), 'batch')
      const results: { errors?: unknown }[] = await response.json()
      if (results.length !== 5 || results.some(({ errors }) => errors)) throw new Error(`batch: ${JSON.stringify(results)}`)
    }
  },
}

/** A subscription that ends after the event of a change. */
const subscriptions: Journey = {
  name: 'subscriptions',
  pauseMilliseconds: 200,
  async prepare(target) {
    const { team, token } = await createOwnedTeam(target.database)
    return async () => {
      const client = createClient({ url: `${target.url}/graphql`, headers: { Authorization: `Bearer ${token}` }, retryAttempts: 0 })
      const query = `subscription { teamEvents(team: "${team.slug}") { action } }`
      const events = client.iterate<{ teamEvents: { action: string } }>({ query })
      const next = events.next()
      const received = new AbortController()
      const changing = (async () => {
        // Repeated, because the first change may be made before the subscription starts.
        for (; !received.signal.aborted; await delay(200)) await change(target, token, rename, { team: team.slug, name: unique('name') })
      })()
      try {
        const { value } = await Promise.race([next, changing.then(() => next)])
        if (value?.data?.teamEvents.action !== 'UPDATE_TEAM') throw new Error(`subscription: ${JSON.stringify(value)}`)
      } finally {
        received.abort()
        await changing
        await events.return?.()
        client.dispose()
      }
    }
  },
}

export const graphqlJourneys: readonly Journey[] = [operations, batches, subscriptions]
