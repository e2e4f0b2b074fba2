import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTeam, join, unique } from '../../support/data/team.ts'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import { addDomain } from '../../support/identity-providers/team-provider.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { contentFor, createSamlProvider, requestIdOf, useSigners } from '../../support/saml/provider.ts'
import { signedResponse } from '../../support/saml/response.ts'

// A SAML provider posts its response from a page of its own, with which the browser sends no cookie of this site.

const { service, database, openTab } = useProviderScene()

describe.runIf(canIssueCertificates)('a SAML provider', () => {
  const signers = useSigners('own')

  /** A team whose provider has a page with a form, at another site than this service. */
  async function teamWithProvider() {
    const team = await createTeam(database)
    const domain = `${unique('acme')}.example`
    await addDomain(database, team, domain)
    const provider = await createSamlProvider(service, [signers.own], { team })
    const person = { nameId: unique('person'), attributes: { email: [`ada@${domain}`], name: ['Ada Lovelace'] } }
    const origin = await listen((request, response) => {
      const sent = new URL(request.url ?? '/', 'http://127.0.0.1')
      const xml = signedResponse({ ...contentFor(service, provider, requestIdOf(sent)), ...person }, signers.own)
      response.writeHead(200, { 'content-type': 'text/html' }).end(
        `<!doctype html><html lang="en"><title>Organization</title><h1>Organization</h1><form method="post" action="${provider.acsUrl}">
        <input type="hidden" name="SAMLResponse" value="${Buffer.from(xml).toString('base64')}"><button>Log in</button></form>`,
      )
    })
    const data = { ssoUrl: `${origin}/sso`, jitRole: 'member' } as const
    await database.prisma.identityProvider.update({ where: { id: provider.id }, data })
    return { team, issuer: origin, email: `ada@${domain}` }
  }

  async function listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test.each(looks)('signs in a new member, who is back at the requested page (%s)', async (_, options) => {
    const { team, issuer, email } = await teamWithProvider()
    const tab = await openTab(options)
    const { page } = tab
    await tab.goto(`/sign-in/${team.slug}?return_to=/teams/${team.slug}/members`)
    await tab.button('Log in').press('Enter')
    await tab.expectPage('Members')
    expect(new URL(page.url()).pathname).toBe(`/teams/${team.slug}/members`)
    expect(await database.prisma.user.findUnique({ where: { email } })).toMatchObject({ name: 'Ada Lovelace', emailVerified: true })
    tab.expectNoComplaints({ issuer })
  })

  test.each(looks)('is connected by a user who is signed in, and stays so (%s)', async (_, options) => {
    const { team, issuer } = await teamWithProvider()
    const user = await createPerson(database)
    await join(database, team, user, 'member')
    const tab = await openTab(options)
    const { page } = tab
    await tab.signIn(user.email)
    await tab.goto('/security/accounts')
    await tab.button('Link Acme ID').press('Enter')
    await tab.button('Log in').press('Enter')
    await page.getByText('You can now sign in through Acme ID.').waitFor()
    await tab.expectPage('Linked accounts')
    expect(await database.prisma.externalIdentity.count({ where: { userId: user.id } })).toBe(1)
    tab.expectNoComplaints({ issuer })
  })

  test.each(looks)('has a host that fits the page that names it, as long as DNS permits (%s)', async (_, options) => {
    const team = await createTeam(database, { name: 'W'.repeat(60) })
    const { id } = await createSamlProvider(service, [signers.own], { team })
    const host = `${'long-name-of-a-host.'.repeat(12)}example`
    await database.prisma.identityProvider.update({ where: { id }, data: { name: 'W'.repeat(60), ssoUrl: `https://${host}/sso` } })
    const tab = await openTab(options)
    await tab.goto(`/sign-in/${team.slug}`, `Continue to ${host}?`)
    tab.expectNoComplaints()
  })
})
