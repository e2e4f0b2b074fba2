import type { HTMLElement } from 'node-html-parser'
import type { Team } from '../../prisma/generated/client/client.ts'
import type { Role } from '../../prisma/generated/client/enums.ts'
import { Browser } from './browser.ts'
import type { Page } from './browser.ts'
import { createPerson, password } from './oauth.ts'
import type { TestService } from './service.ts'
import { join } from './team.ts'

/** Status and heading of a page. */
export const heading = ({ status, root }: Page) => [status, root.querySelector('h1')?.text]

const rowsOf = (table: HTMLElement | null | undefined) =>
  table?.querySelectorAll('tr').map((row) => row.querySelectorAll('th, td').map((cell) => cell.text.replaceAll('\u00A0', ' ')))

/** The cells of the table in the section of this heading, row by row. */
export function tableOf({ root }: Page, label: string) {
  const section = root.querySelectorAll('section').find((each) => each.querySelector('h2')?.text === label)
  return rowsOf(section?.querySelector('table'))
}

/** A browser of somebody with this role in the team, or of a stranger to it, signed in. */
export async function browserOf({ url, database }: TestService, team: Team, role: Role | null): Promise<Browser> {
  const person = await createPerson(database)
  if (role) await join(database, team, person, role)
  const browser = new Browser(url)
  await browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': person.email, Password: password })
  return browser
}
