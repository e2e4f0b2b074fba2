import type { Provider } from 'oidc-provider'
import type { EndedSession } from '../../schema/core/ports.ts'
import { sendLogoutToken } from './provider/provider-internals.ts'

interface BackchannelLogoutPorts {
  provider(): Promise<Provider>
  report(error: unknown): void
}

/** Notifies clients in the background about sessions that have ended (OpenID Connect Back-Channel Logout). */
export function createBackchannelLogout({ provider, report }: BackchannelLogoutPorts) {
  const inProgress = new Set<Promise<void>>()

  async function notify(sessions: readonly EndedSession[]): Promise<void> {
    try {
      const currentProvider = await provider()
      const results = await Promise.allSettled(sessions.flatMap((session) => notifyClients(currentProvider, session)))
      for (const result of results) if (result.status === 'rejected') report(result.reason)
    } catch (error) {
      report(error)
    }
  }

  return {
    send(sessions: readonly EndedSession[]): void {
      const notification = notify(sessions).finally(() => inProgress.delete(notification))
      inProgress.add(notification)
    },
    /** Waits for notifications in progress. oidc-provider abandons a client after a few seconds. */
    close: async (): Promise<void> => void (await Promise.all(inProgress)),
  }
}

/** Notifies every client that the user signed in to with this session, if it is registered with a back-channel logout URI. */
const notifyClients = (provider: Provider, { accountId, authorizations }: EndedSession) =>
  Object.entries(authorizations).map(async ([clientId, { sid }]) => {
    const client = await provider.Client.find(clientId)
    if (client?.backchannelLogoutUri) await sendLogoutToken(client, accountId, sid)
  })
