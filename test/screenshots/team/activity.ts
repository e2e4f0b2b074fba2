import { createTrustedDevice } from '../../support/data/session-row.ts'
import { addPasskey } from '../../support/data/second-factor.ts'
import { Browser } from '../../support/browser/browser.ts'
import { enter } from '../../support/account-site/page-content.ts'
import { authorize, exchangeCode } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import type { TestService } from '../../support/service/service.ts'
import type { createHistory } from './history.ts'
import { billing, member, owner, teamSlug } from './people.ts'

const browsers = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
]

/** The registered client, which is public. */
export async function clientOf({ database }: TestService, clientId: string): Promise<TestClient> {
  const client = await database.prisma.oAuthClient.findUniqueOrThrow({ where: { clientId } })
  return { ...client, secret: null, redirectUri: client.redirectUris[0] ?? '' }
}

/** Signs users in on several devices and connects apps, over HTTP. Returns the identifier of a grant of the owner. */
export async function useService(service: TestService, { at, userOf }: ReturnType<typeof createHistory>): Promise<string> {
  const ownerUser = await userOf(owner.email)
  for (const [index, userAgent] of browsers.entries()) {
    at([9, 2, 0.2][index] ?? 0)
    const browser = new Browser(service.url)
    browser.headers = { 'user-agent': userAgent, 'x-forwarded-for': `198.51.100.${20 + index}` }
    await enter(browser, ownerUser)
  }
  at(0.05)
  await addPasskey({ service, principal: await sessionOf(service, ownerUser) })
  await createTrustedDevice(service.database, ownerUser)
  at(0)
  const scope = 'openid profile email offline_access teams acct:team:read'
  const connections = [
    [owner.email, 'pipeline', teamSlug, `${scope} acct:team:members:write`],
    [owner.email, 'ledger', '*', `${scope} acct:team:invoices:read`],
    [owner.email, 'status-board', 'fabrikam', scope],
    [billing.email, 'ledger', teamSlug, `${scope} acct:team:invoices:read`],
    [member.email, 'pipeline', teamSlug, scope],
  ] as const
  for (const [email, clientId, team, scopes] of connections) {
    const client = await clientOf(service, clientId)
    const choices = { team, scope: scopes.split(' ').slice(1) }
    await exchangeCode(service, client, await authorize(service, client, await userOf(email), { choices, changes: { scope: scopes } }))
  }
  const grant = await service.database.prisma.oAuthGrant.findFirstOrThrow({
    where: { userId: ownerUser.id, client: { clientId: 'pipeline' } },
  })
  return grant.id
}
