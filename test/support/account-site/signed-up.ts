import { Browser } from '../browser/browser.ts'
import type { Page } from '../browser/browser.ts'
import { lastLink } from '../mail/links.ts'
import type { TestService } from '../service/service.ts'
import { unique } from '../data/team.ts'

export const newPassword = 'a long and new password'
export const newAddress = () => `${unique('new')}@example.test`
export const fieldsFor = (email: string) => ({ Name: 'Grace', 'Email address': email, Password: newPassword })

/** The fields of the form for the address to which an invitation was sent, which the form has already. */
export const invitedFields = { Name: 'Grace', Password: newPassword }

/** Submits the sign-up form. */
export async function signUp({ url }: Pick<TestService, 'url'>, email: string, browser = new Browser(url), path = '/sign-up') {
  const page = await browser.press(await browser.open(path), 'Create account', fieldsFor(email))
  return { browser, page }
}

/** The statements that a request ran, as far as they show what it did. The activity of users is recorded in the background. */
export const comparableStatements = ({ statements }: Pick<TestService, 'statements'>) =>
  statements
    .filter((statement) => !statement.startsWith('WITH uses'))
    .map((statement) => statement.replace(/^(?:RELEASE|ROLLBACK TO) SAVEPOINT/, 'end of'))

/** Signs up with a new address. `open` opens the link in the email, by default in the same browser. */
export async function signedUp(service: TestService, path = '/sign-up') {
  const email = newAddress()
  const { browser, page } = await signUp(service, email, new Browser(service.url), path)
  const findUser = () => service.database.prisma.user.findUniqueOrThrow({ where: { email } })
  const link = async () => `/links/${await lastLink(service, (await findUser()).id)}`
  const open = async (elsewhere = browser): Promise<Page> => elsewhere.open(await link())
  return { email, browser, page, findUser, link, open }
}
