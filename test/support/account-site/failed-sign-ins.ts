import type { User } from '../../../prisma/generated/client/client.ts'
import { Browser } from '../browser/browser.ts'
import type { TestService } from '../service/service.ts'
import { waitFor } from '../service/wait.ts'

let lastAddress = 0
/** Returns a browser with an IP address that no other browser uses. */
export function browserAtNewAddress({ url }: Pick<TestService, 'url'>): Browser {
  const browser = new Browser(url)
  browser.headers = { 'x-forwarded-for': `192.0.2.${++lastAddress}` }
  return browser
}

export async function enterPassword(service: TestService, email: string, secret: string, browser = browserAtNewAddress(service)) {
  const page = await browser.open('/sign-in?with=password&another=1&return_to=/security')
  return browser.press(page, 'Sign in', { 'Email address': email, Password: secret })
}

export async function requestCode(service: TestService, email: string) {
  const browser = browserAtNewAddress(service)
  const page = await browser.press(await browser.open('/sign-in/code?return_to=/security&other=1'), 'Send code', { 'Email address': email })
  return { browser, page }
}

/** The rows of failed sign-ins of an account. */
export const readFailureRows = ({ database: { prisma } }: TestService, { id }: Pick<User, 'id'>) =>
  prisma.failedSignIn.findMany({ where: { userId: id }, orderBy: { reason: 'asc' } })

/** The method, the reason and the count of the failures of an account, once they have this number together. */
export async function readFailures(service: TestService, user: Pick<User, 'id'>, total: number) {
  const read = async () => (await readFailureRows(service, user)).map(({ method, reason, count }) => [method, reason, count] as const)
  await waitFor(async () => (await read()).reduce((sum, [, , count]) => sum + count, 0) >= total)
  return read()
}
