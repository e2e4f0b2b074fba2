import type { HTMLElement } from 'node-html-parser'
import type { Role } from '../../../prisma/generated/client/enums.ts'
import { Browser } from '../browser/browser.ts'
import type { Page } from '../browser/browser.ts'
import { createPerson } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'
import { createTeam, join } from '../data/team.ts'
import { enter } from './page-content.ts'

/** Creates a team with an owner and a user of this role, signs that user in and opens a page of the team. */
export async function inTeam(service: TestService, role: Role, path: string) {
  const { database, url } = service
  const team = await createTeam(database, { name: 'Acme & Co' })
  const [owner, person] = [await createPerson(database, { name: 'Olga' }), await createPerson(database, { name: 'Ada' })]
  // Members are listed by the time at which they joined, which would be the same for two that join in one millisecond.
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
  await join(database, team, owner, 'owner', null, ago(2))
  await join(database, team, person, role, null, ago(1))
  const browser = new Browser(url)
  const address = `/teams/${team.slug}${path}`
  return { team, owner, person, browser, address, page: await enter(browser, person, address) }
}

const inOneLine = ({ structuredText }: HTMLElement) => structuredText.replace(/\s+/g, ' ').trim()

/** The cells of the table, row by row. */
export const rowsOf = ({ root }: Page) => root.querySelectorAll('tbody tr').map((row) => row.querySelectorAll('th, td').map(inOneLine))

/** The text of the main element without the heading. */
export const contentOf = ({ root }: Page) => {
  const main = root.querySelector('main')
  main?.querySelectorAll('h1').forEach((heading) => heading.remove())
  return main ? inOneLine(main) : null
}

/** The labels of the links in the team's navigation. */
export const teamLinks = ({ root }: Page) => root.querySelectorAll('nav[aria-label=Team] a').map(({ text }) => text)

/** The error messages of a field. */
export const wrongOf = ({ root }: Page, name: string) => root.querySelector(`#field-${name}-wrong`)?.text
