import type { Provider } from 'oidc-provider'
import type { EndedSession } from '../../schema/context.ts'

interface BackchannelLogoutPorts {
  provider(): Promise<Provider>
  report(error: unknown): void
}

/** Tells clients, beside the request that ended them, of sessions that are over. */
export function createBackchannelLogout({ provider, report }: BackchannelLogoutPorts) {
  const underWay = new Set<Promise<void>>()

  async function tell(sessions: readonly EndedSession[]): Promise<void> {
    try {
      const asked = await provider()
      for (const outcome of await Promise.allSettled(sessions.flatMap((session) => tellings(asked, session))))
        if (outcome.status === 'rejected') report(outcome.reason)
    } catch (error) {
      report(error)
    }
  }

  return {
    send(sessions: readonly EndedSession[]): void {
      const telling = tell(sessions).finally(() => underWay.delete(telling))
      underWay.add(telling)
    },
    /** Waits for what is under way; oidc-provider gives a client that does not answer a few seconds. */
    close: async (): Promise<void> => void (await Promise.all(underWay)),
  }
}

/** One telling for each client that a person was signed in to by the session, and that wants to know. */
const tellings = (provider: Provider, { accountId, authorizations }: EndedSession) =>
  Object.entries(authorizations).map(async ([clientId, { sid }]) => {
    const client = await provider.Client.find(clientId)
    if (client?.backchannelLogoutUri) await (client as unknown as Told).backchannelLogout(accountId, sid)
  })

/** The method that oidc-provider's own sign-out calls; its types leave it out. */
interface Told {
  backchannelLogout(accountId: string, sid: string | undefined): Promise<void>
}
