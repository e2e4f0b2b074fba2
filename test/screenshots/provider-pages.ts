import type { Page } from 'playwright-core'
import type * as consent from '../../src/oidc/pages/consent.tsx'
import type * as device from '../../src/oidc/pages/device.tsx'
import type * as notPublished from '../../src/oidc/pages/not-published.tsx'
import type * as signedOut from '../../src/oidc/pages/signed-out.tsx'
import { deviceGrantType } from '../support/oauth/device.ts'
import { createTeam } from '../support/data/team.ts'
import { authorizationUrl, createClient, post } from '../support/oauth/oauth.ts'
import type { TestService } from '../support/service/service.ts'
import { clientOf } from './team/activity.ts'
import { teamSlug } from './team/people.ts'

type ProviderPage = keyof typeof consent | keyof typeof device | keyof typeof notPublished | keyof typeof signedOut

/** Every page of the authorization server, and how a signed-in user gets there. A page without an entry is a type error. */
export const providerPages: Record<ProviderPage, (page: Page, service: TestService) => Promise<void>> = {
  async ConsentPage(page, service) {
    const scope = 'openid profile email offline_access teams acct:team:read acct:team:members:write acct:team:invoices:read'
    await page.goto(authorizationUrl(service, await clientOf(service, 'status-board'), { scope, prompt: 'consent' }).url.href)
  },
  async NotPublishedPage(page, service) {
    const { id: ownerTeamId } = await createTeam(service.database)
    await page.goto(authorizationUrl(service, await createClient(service.database, { ownerTeamId, state: 'draft' })).url.href)
    await page.getByRole('heading', { name: 'This app is not published yet' }).waitFor()
  },
  async DeviceCodePage(page, { url }) {
    await page.goto(`${url}/login/device`)
  },
  async DeviceConnectedPage(page, service) {
    await enterCode(page, service)
    await page.locator('select[name=team]').selectOption(teamSlug)
    await page.getByRole('button', { name: 'Allow access' }).click()
    await page.getByRole('heading', { name: 'Device connected' }).waitFor()
  },
  async DeviceDeniedPage(page, service) {
    await enterCode(page, service)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'Access denied' }).waitFor()
  },
  async SignOutPage(page, { url }) {
    await page.goto(`${url}/login/oauth/logout`)
  },
  async SignedOutPage(page, { url }) {
    await page.goto(`${url}/login/oauth/logout`)
    await page.getByRole('button', { name: 'Stay signed in' }).click()
  },
}

async function enterCode(page: Page, service: TestService): Promise<void> {
  const client = await clientOf(service, 'pipeline')
  const { body } = await post(service, '/api/oauth/device', client, { scope: 'openid profile', grant_type: deviceGrantType })
  await page.goto(`${service.url}/login/device?user_code=${body.user_code}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: /^Allow /, level: 1 }).waitFor()
}
