import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import { Browser } from '../browser/browser.ts'
import type { Page } from '../browser/browser.ts'
import { createTeam, join } from '../data/team.ts'
import type { TestService } from '../service/service.ts'
import { formOf } from './authorization.ts'
import { authorizationUrl, createClient, createPerson, signIn } from './oauth.ts'
import type { ClientOptions } from './oauth.ts'

/** Creates a member of two teams and opens the consent page of a client that requests these scopes. */
export async function openConsent(
  service: Pick<TestService, 'url' | 'database'>,
  options: ClientOptions = {},
  scope = 'openid teams acct:team:members:read',
) {
  const { database } = service
  const user = await createPerson(database)
  const client = await createClient(database, options)
  const teams = [await createTeam(database, { name: 'First' }), await createTeam(database, { name: 'Second' })] as const
  for (const team of teams) await join(database, team, user, 'member')
  const browser = new Browser(service.url)
  const page = await signIn(browser, await browser.open(authorizationUrl(service, client, { scope }).url), user)
  const reopen = () => browser.open(authorizationUrl(service, client, { scope, prompt: 'consent' }).url)
  return { user, client, teams, browser, page, reopen }
}

/** The unchanged consent form, submitted with the button Allow access. */
export function allowForm(page: Page) {
  const { action, values } = formOf(page, 'Deny')
  values.set('decision', 'allow')
  return { action, values }
}
export const grantsOf = ({ prisma }: OpenDatabase, userId: string) =>
  prisma.oAuthGrant.findMany({
    where: { userId },
    select: { teamId: true, scopes: true, declinedScopes: true },
    orderBy: { createdAt: 'asc' },
  })
export const checkboxesOf = (page: Page) =>
  page.root.querySelectorAll('input[type=checkbox]').map((box) => [box.getAttribute('value'), box.hasAttribute('checked')])
export const teamOptionsOf = (page: Page) =>
  page.root.querySelectorAll('select[name=team] option').map((option) => option.getAttribute('value'))
export const selectedTeamOf = (page: Page) => page.root.querySelector('select[name=team] option[selected]')?.getAttribute('value')
export const rejectedForm = [403, 'We couldn’t accept this form']
export const hasCode = ({ url }: Page) => url.origin === 'https://app.example' && url.searchParams.has('code')
