import type { HTMLElement } from 'node-html-parser'
import type { Role } from '../../prisma/generated/client/enums.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { createPerson } from '../support/oauth.ts'
import type { TestService } from '../support/service.ts'
import { createTeam, join } from '../support/team.ts'
import { enter } from './shown.ts'

/** A team, and a person of this role in it who is signed in and at a page of it. */
export async function inTeam(service: TestService, role: Role, path: string) {
  const { database, url } = service
  const team = await createTeam(database, { name: 'Acme & Co' })
  const [owner, person] = [await createPerson(database, { name: 'Olga' }), await createPerson(database, { name: 'Ada' })]
  await join(database, team, owner, 'owner')
  await join(database, team, person, role)
  const browser = new Browser(url)
  const address = `/teams/${team.slug}${path}`
  return { team, owner, person, browser, address, page: await enter(browser, person, address) }
}

const inOneLine = ({ structuredText }: HTMLElement) => structuredText.replace(/\s+/g, ' ').trim()

/** The cells of the page's table, row by row. */
export const rowsOf = ({ root }: Page) => root.querySelectorAll('tbody tr').map((row) => row.querySelectorAll('th, td').map(inOneLine))

/** What the page has between its frame, without the heading. */
export const contentOf = ({ root }: Page) => {
  const main = root.querySelector('main')
  main?.querySelectorAll('h1').forEach((heading) => heading.remove())
  return main ? inOneLine(main) : null
}

/** The links of the team's navigation. */
export const teamLinks = ({ root }: Page) => root.querySelectorAll('nav[aria-label=Team] a').map(({ text }) => text)

/** What is wrong with a field, by its name. */
export const wrongOf = ({ root }: Page, name: string) => root.querySelector(`#field-${name}-wrong`)?.text
