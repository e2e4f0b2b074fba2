import type { Provider } from 'oidc-provider'
import type { EndedSession } from '../../schema/context.ts'
import { tellClients } from './interaction/end-session.ts'

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
      await Promise.all(sessions.map((session) => tellClients(asked, session, report)))
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
