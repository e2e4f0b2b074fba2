import type { Provider } from 'oidc-provider'

/**
 * Ends a session because another person signs in in its place, and tells the clients that want to know. oidc-provider
 * would do the same by a form that sends itself, which takes a script.
 */
export async function endSession(provider: Provider, uid: string, report: (error: unknown) => void): Promise<void> {
  const session = await provider.Session.findByUid(uid)
  if (!session) return
  await session.destroy()
  const told = Object.entries(session.authorizations ?? {}).map(async ([clientId, { sid }]) => {
    const client = await provider.Client.find(clientId)
    if (client?.backchannelLogoutUri && session.accountId) await tell(client, session.accountId, sid)
  })
  // A client that cannot be told keeps nobody from signing in.
  for (const outcome of await Promise.allSettled(told)) if (outcome.status === 'rejected') report(outcome.reason)
}

/** The method that oidc-provider's own sign-out calls; its types leave it out. */
interface Told {
  backchannelLogout(accountId: string, sid: string | undefined): Promise<void>
}

const tell = (client: unknown, accountId: string, sid: string | undefined) => (client as Told).backchannelLogout(accountId, sid)
