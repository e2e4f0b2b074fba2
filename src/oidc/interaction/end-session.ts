import type { Provider } from 'oidc-provider'
import type { EndedSession } from '../../../schema/context.ts'

/**
 * Ends a session because another person signs in in its place, and tells the clients that want to know. oidc-provider
 * would do the same by a form that sends itself, which takes a script.
 */
export async function endSession(provider: Provider, uid: string, report: (error: unknown) => void): Promise<void> {
  const session = await provider.Session.findByUid(uid)
  if (!session) return
  await session.destroy()
  const { accountId, authorizations = {} } = session
  if (accountId) await tellClients(provider, { accountId, authorizations }, report)
}

/** Tells the clients that were signed in to by a session, and want to know, that it ended. Never throws. */
export async function tellClients(
  provider: Provider,
  { accountId, authorizations }: EndedSession,
  report: (error: unknown) => void,
): Promise<void> {
  const told = Object.entries(authorizations).map(async ([clientId, { sid }]) => {
    const client = await provider.Client.find(clientId)
    if (client?.backchannelLogoutUri) await tell(client, accountId, sid)
  })
  // A client that cannot be told keeps nobody from signing in.
  for (const outcome of await Promise.allSettled(told)) if (outcome.status === 'rejected') report(outcome.reason)
}

/** The method that oidc-provider's own sign-out calls; its types leave it out. */
interface Told {
  backchannelLogout(accountId: string, sid: string | undefined): Promise<void>
}

const tell = (client: unknown, accountId: string, sid: string | undefined) => (client as Told).backchannelLogout(accountId, sid)
