import { serviceSettings } from '../../bench/contestants/start.ts'
import { enter } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, join, unique } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { spawnCli } from '../../support/service/cli.ts'
import { expectStatus } from './journey.ts'
import type { Journey } from './journey.ts'

/** Signs in, opens pages of the account site, changes a team with a form and signs out. */
const pages: Journey = {
  name: 'pages',
  pauseMilliseconds: 200,
  async prepare({ url, database }) {
    const person = await createPerson(database)
    const team = await createTeam(database)
    await join(database, team, person, 'owner')
    const inTeam = ['', '/members', '/invoices', '/tokens', '/audit-trail'].map((page) => `/teams/${team.slug}${page}`)
    return async () => {
      const browser = new Browser(url)
      expectStatus(await enter(browser, person), 'sign-in')
      for (const path of ['/account', '/tokens', '/security', ...inTeam]) expectStatus(await browser.open(path), path)
      const form = expectStatus(await browser.open(`/teams/${team.slug}/settings`), 'team settings')
      const changed = await browser.press(form, 'Save', { Name: unique('team') })
      expectStatus(await browser.press(expectStatus(changed, 'change of the team'), 'Sign out'), 'sign-out')
    }
  },
}

/** Commands that change data of the running service, each in a separate process. */
const commandLine: Journey = {
  name: 'command line',
  pauseMilliseconds: 5_000,
  async prepare({ url, database, databaseUrl }) {
    const env = { ...serviceSettings({ url: databaseUrl }), AUTH_URL: url }
    const run = async (...line: string[]) => {
      const { status, stdout, stderr } = await spawnCli(env, line)
      if (status !== 0) throw new Error(`${line.join(' ')}: ${stderr}`)
      return stdout
    }
    const user = await createPerson(database)
    return async () => {
      const created = await run('token', 'create', '--user', user.email, '--name', unique('soak'), '--scope', 'acct:team:read', '--json')
      const { token, id } = JSON.parse(created)
      const authorization = `Bearer ${token}`
      expectStatus(await request({ url }, 'GET', '/api/v1/user', { headers: { authorization } }), 'a created token')
      await run('token', 'revoke', id)
      expectStatus(await request({ url }, 'GET', '/api/v1/user', { headers: { authorization } }), 'a revoked token', 401)
      await run('user', 'list', '--json')
    }
  },
}

export const pageAndCommandJourneys: readonly Journey[] = [pages, commandLine]
