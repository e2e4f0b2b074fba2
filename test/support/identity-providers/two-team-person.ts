import { Browser } from '../browser/browser.ts'
import { createTeam, createUser, join } from '../data/team.ts'
import { queryInSession } from '../graphql/session-request.ts'
import type { TestService } from '../service/service.ts'
import { personAtProvider } from './person-at-provider.ts'
import type { useProviders } from './provider.ts'
import { signInAtProvider } from './team-provider.ts'

/** Creates an owner of two teams, of which the first has a provider where the owner can sign in, as well as by password. */
export async function createTwoTeamPerson(service: TestService, providers: ReturnType<typeof useProviders>) {
  const { database } = service
  const atProvider = await personAtProvider(service, providers)
  const { person, team } = atProvider
  const other = await createTeam(database, { name: 'Globex' })
  await join(database, team, await createUser(database), 'owner')
  await join(database, team, person, 'owner')
  await join(database, other, person, 'owner')
  return { ...atProvider, other }
}

/** Signs in at the provider in a new browser. Returns it with the page at `path`. */
export async function enterAtProvider({ url }: Pick<TestService, 'url'>, { id }: { id: string }, path = '/account/teams') {
  const browser = new Browser(url)
  return { browser, page: await signInAtProvider(browser, id, { return_to: path }) }
}

/** The slugs of the teams that the session of a browser reaches. */
export async function reachedTeams(browser: Browser): Promise<readonly string[]> {
  const { data } = await queryInSession(browser, '{ viewer { teamSlugs } }')
  return data.viewer.teamSlugs
}
