import { createClient } from 'graphql-sse'
import type { ClientOptions } from 'graphql-sse'
import { onTestFinished } from 'vitest'
import { waitFor } from '../service/wait.ts'

interface TeamEvent {
  id: string
  entry: { id: string; actorName: string }
  action: string
  subject: string
}

interface Options extends Partial<ClientOptions> {
  /** The last event that was received. */
  after?: string
  /** Names of GraphQL's enum. */
  types?: readonly string[]
}

const query = `subscription ($team: String!, $after: ID, $types: [EventType!]) { teamEvents(team: $team, after: $after, types: $types) { id: entryId entry { id actorName } action: actionName subject at } }`

/** Subscribes to the events of a team with the client of graphql-sse. The subscription is open when this resolves, and ends with the test. */
export async function subscribe(url: string, token: string, team: string, { after, types, ...options }: Options = {}) {
  const events: TeamEvent[] = []
  const errors: { message: string; code: unknown }[] = []
  let isOpen = false
  let hasCompleted = false
  let failure: unknown
  const client = createClient({
    url: `${url}/graphql`,
    headers: { Authorization: `Bearer ${token}` },
    retryAttempts: 0,
    fetchFn: async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request)
      isOpen = response.ok
      return response
    },
    ...options,
  })
  onTestFinished(() => client.dispose())
  const close = client.subscribe<{ teamEvents: TeamEvent }>(
    { query, variables: { team, after, types } },
    {
      next: ({ data, errors: refused }) => {
        if (data) events.push(data.teamEvents)
        for (const { message, extensions = {} } of refused ?? []) errors.push({ message, code: extensions.code })
      },
      error: (error) => void (failure = error),
      complete: () => void (hasCompleted = true),
    },
  )
  await waitFor(() => isOpen || failure !== undefined || hasCompleted)
  return {
    events,
    errors,
    close,
    get hasCompleted() {
      return hasCompleted
    },
    get failure() {
      return failure
    },
    /** Waits until a number of events have arrived, and returns their actions. */
    actions: async (count: number) => {
      await waitFor(() => events.length >= count || failure !== undefined || hasCompleted)
      return events.map(({ action }) => action)
    },
  }
}
