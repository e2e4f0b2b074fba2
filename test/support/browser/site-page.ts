import type { HTMLElement } from 'node-html-parser'
import type { Team } from '../../../prisma/generated/client/client.ts'
import type { Role } from '../../../prisma/generated/client/enums.ts'
import { Browser } from './browser.ts'
import type { Page } from './browser.ts'
import { createPerson, password } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'
import { join } from '../data/team.ts'

/** Status and heading of a page. */
export const heading = ({ status, root }: Page) => [status, root.querySelector('h1')?.text]

const rowsOf = (table: HTMLElement | null | undefined) =>
  table?.querySelectorAll('tr').map((row) => row.querySelectorAll('th, td').map((cell) => cell.text.replaceAll('\u00A0', ' ')))

/** The cells of the table in the section with this heading, row by row. */
export function tableOf({ root }: Page, label: string) {
  const section = root.querySelectorAll('section').find((each) => each.querySelector('h2')?.text === label)
  return rowsOf(section?.querySelector('table'))
}

/** Signs in as a new user with this role in the team, or who is not a member. */
export async function browserOf({ url, database }: TestService, team: Team, role: Role | null): Promise<Browser> {
  const person = await createPerson(database)
  if (role) await join(database, team, person, role)
  const browser = new Browser(url)
  await browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': person.email, Password: password })
  return browser
}
